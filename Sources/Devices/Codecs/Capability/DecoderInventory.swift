// SPDX-License-Identifier: Apache-2.0
import System

/// What decodes on this machine: its devices, and what libavcodec does by the processor.
public struct DecoderInventory: Hashable, Sendable {
    /// Those of the kernel, then libavcodec's, in the order of their numbers.
    public var devices: [DecoderDevice]
    public var software: [VideoCoding]

    public init(devices: [DecoderDevice], software: [VideoCoding] = VideoCoding.inSoftware) {
        self.devices = devices
        self.software = software
    }

    private static let paths = (0..<64).map { "/dev/video\($0)" }

    /// Asks every device, and has each open for as long. May take as long as their firmware does: not for a thread that
    /// has something else to do.
    public static func read() -> DecoderInventory {
        DecoderInventory(
            devices: paths.compactMap { path in
                // Not there, not ours, or no such device: nothing of it would be of use.
                guard let node = try? VideoNodeQuestions(opening: path) else { return nil }
                return DecoderDevice(asking: node)
            } + DecoderDevice.renderNodes().compactMap { DecoderDevice(library: $0) })
    }
}
