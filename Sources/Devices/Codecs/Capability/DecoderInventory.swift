// SPDX-License-Identifier: Apache-2.0
import System

/// The decoders of this machine: its devices, and what libavcodec decodes on the processor.
public struct DecoderInventory: Hashable, Sendable {
    /// The kernel's V4L2 devices, then libavcodec's, each in the order of their numbers.
    public var devices: [DecoderDevice]
    public var software: [VideoCoding]

    public init(devices: [DecoderDevice], software: [VideoCoding] = VideoCoding.inSoftware) {
        self.devices = devices
        self.software = software
    }

    private static let paths = (0..<64).map { "/dev/video\($0)" }

    /// Opens and queries each device. This may take as long as loading firmware does, so it needs a thread that can
    /// wait.
    public static func read() -> DecoderInventory {
        DecoderInventory(
            devices: paths.compactMap { path in
                // A node that is missing, inaccessible or no such device is of no use, whatever the reason.
                guard let node = try? VideoNodeQuestions(opening: path) else { return nil }
                return DecoderDevice(asking: node)
            } + DecoderDevice.renderNodes().compactMap { DecoderDevice(library: $0) })
    }
}
