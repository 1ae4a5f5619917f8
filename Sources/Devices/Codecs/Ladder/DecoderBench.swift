// SPDX-License-Identifier: Apache-2.0
import Time

/// Where a session finds decoders: those of this machine, or a test's.
/// - Thread: any.
public protocol DecoderBench: Sendable {
    /// - Parameter excluded: paths of those that failed.
    /// - Returns: where, or why nowhere: `hardware: no device`.
    func place(for need: DecoderNeed, excluding excluded: Set<String>) -> Result<DecoderSeat, NoDecoder>
    func open(
        _ device: String, decoding coding: VideoCoding, _ terms: DecoderTerms
    ) throws(DecoderFault) -> any DeviceDecoder
}

/// How a device is worked with.
public struct DecoderTerms: Hashable, Sendable {
    /// Of the stream's pictures; nil: not known yet.
    public var size: DecoderNeed.Size?
    public var codedBuffers = 4
    /// Pictures that its readers may keep at a time: the stage, and the queue in front of it.
    public var sparePictures = 6
    /// It neither delivers nor asks for as long, with what it needs: wedged.
    public var patience = HardwareDecoder.patience

    /// Units that it may take without a picture; see `ReorderBound`.
    public var mostInVain = ReorderBound.units(of: .h264, size: nil, level: nil)

    public init() {}

    /// As little as it works with.
    static var few: DecoderTerms {
        var terms = DecoderTerms()
        (terms.codedBuffers, terms.sparePictures) = (2, 3)
        return terms
    }

    /// Of one that has been wedged before: both together, a picture stands for less than a second.
    static let secondPatience = Nanoseconds.milliseconds(300)
}

/// A session's place at a device, for as long as it holds it.
public struct DecoderSeat: Sendable {
    public let device: String
    private let hold: (any Sendable)?

    /// - Parameter hold: whose end gives the place back.
    public init(_ device: String, hold: (any Sendable)? = nil) {
        self.device = device
        self.hold = hold
    }
}

public struct NoDecoder: Error, Hashable, Sendable {
    public let reason: String

    public init(_ reason: String) { self.reason = reason }
}

/// The devices of this machine, each to as many as it can serve.
extension DecoderDesk: DecoderBench {
    public func place(
        for need: DecoderNeed, excluding excluded: Set<String>
    ) -> Result<DecoderSeat, NoDecoder> {
        let place: Result<DecoderPlace, DecoderRefusal> = place(for: need, excluding: excluded)
        return place.map { DecoderSeat($0.path, hold: $0) }.mapError { NoDecoder($0.description) }
    }

    public func open(
        _ device: String, decoding coding: VideoCoding, _ terms: DecoderTerms
    ) throws(DecoderFault) -> any DeviceDecoder {
        if kind(of: device) == .library {
            return try LibraryDecoder(opening: device, decoding: coding, sparePictures: terms.sparePictures)
        }
        return try HardwareDecoder(
            opening: device, decoding: coding.stateful, size: terms.size, codedBuffers: terms.codedBuffers,
            sparePictures: terms.sparePictures, patience: terms.patience, mostInVain: terms.mostInVain)
    }
}
