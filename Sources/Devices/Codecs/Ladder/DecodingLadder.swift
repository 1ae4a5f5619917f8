// SPDX-License-Identifier: Apache-2.0

/// Decides which decoder a stream gets and which one follows when it fails. It is a value that is told what was found
/// and what failed, and says what to try next. A device that fails twice without proving itself in between is not used
/// again for this stream, nor is one that cannot decode it at all.
public struct DecodingLadder: Hashable, Sendable {
    public enum Choice: String, Hashable, Sendable, CaseIterable {
        /// A device if one takes the stream, otherwise libavcodec.
        case auto
        /// Only a device; a stream that no device takes is not decoded.
        case hardware
        case software
    }

    public enum Step: Hashable, Sendable {
        /// Find a place at a device that takes the stream and is not excluded.
        case findDevice(excluding: Set<String>)
        case open(Attempt)
        case software
        /// The choice cannot be fulfilled.
        case nothing
    }

    public struct Attempt: Hashable, Sendable {
        public var device: String
        /// The device has failed once before.
        public var isSecond = false
        /// Opened with as few buffers as it works with.
        public var isFrugal = false
    }

    /// What to try now, or what was tried and works.
    public private(set) var step: Step
    /// Why no better decoder is used, such as `hardware: no device`; nil if this is the best one.
    public private(set) var reason: String?
    /// Description of the last failure with its numbers; nil if there was none.
    public private(set) var detail: String?

    private let choice: Choice
    private let isInSoftware: Bool
    private var failures: [String: Int] = [:]
    private var excluded: Set<String> = []

    private static let mostFailures = 2

    /// - Parameters:
    ///   - isInSoftware: whether libavcodec can decode the stream too.
    ///   - hung: paths of devices that are not used, because they hung before.
    public init(_ choice: Choice, isInSoftware: Bool = true, hung: Set<String> = []) {
        self.choice = choice
        self.isInSoftware = isInSoftware
        excluded = hung
        step = .findDevice(excluding: hung)
        if !hung.isEmpty { reason = "hardware: hung" }
        if choice == .software { leaveDevices("hardware: forbidden") }
    }

    /// Must be called only while `step` is `findDevice`.
    public mutating func deviceFound(_ device: String) {
        guard case .findDevice = step else { return }
        step = .open(Attempt(device: device, isSecond: failures[device] != nil))
    }

    /// Must be called only while `step` is `findDevice`.
    /// - Parameter why: the reason, such as `hardware: no device`.
    public mutating func noDeviceFound(_ why: String) {
        guard case .findDevice = step else { return }
        // Why a capable device failed says more than that no other device was found.
        leaveDevices(reason ?? why)
    }

    private mutating func leaveDevices(_ why: String) {
        step = choice == .hardware || !isInSoftware ? .nothing : .software
        reason = choice == .hardware || isInSoftware ? why : why + ", software: no decoder"
    }

    /// The device has worked for long, so its earlier failures no longer count.
    public mutating func deviceProved() {
        guard case .open(let attempt) = step else { return }
        failures[attempt.device] = nil
    }

    /// Must be called only while `step` is `open`.
    public mutating func deviceFailed(_ fault: DecoderFault) {
        guard case .open(let attempt) = step else { return }
        reason = "hardware: \(fault.reason)"
        detail = "\(attempt.device): \(fault)"
        let count = failures[attempt.device, default: 0] + 1
        failures[attempt.device] = count
        if count < Self.mostFailures, fault.mayPass {
            step = .open(Attempt(device: attempt.device, isSecond: true, isFrugal: fault == .outOfMemory))
        } else {
            excluded.insert(attempt.device)
            step = .findDevice(excluding: excluded)
        }
    }
}

extension DecoderFault {
    /// Whether the same device may succeed when it is opened again.
    var mayPass: Bool {
        switch self {
        case .wedged, .fruitless, .outOfMemory: true
        case .noDevice, .refusedFormat, .unknownPictures, .badFormat, .restless, .picturesKept, .unitTooLarge,
            .nonsense, .untimed, .gone, .failed:
            false
        }
    }
}
