// SPDX-License-Identifier: Apache-2.0

/// Which decoder a stream gets, and which one after that: a value that is told what was found and what failed, and says
/// what to try. A device that failed twice without proving itself in between stays off for this stream, as does one that
/// cannot do it at all.
public struct DecodingLadder: Hashable, Sendable {
    public enum Choice: String, Hashable, Sendable, CaseIterable {
        /// A device where one takes the stream, else libavcodec.
        case auto
        /// Nothing else: what no device takes is not decoded.
        case hardware
        case software
    }

    public enum Step: Hashable, Sendable {
        /// A place at a device that takes the stream, none of these.
        case findDevice(excluding: Set<String>)
        case open(Attempt)
        case software
        /// What is wished is not to be had.
        case nothing
    }

    public struct Attempt: Hashable, Sendable {
        public var device: String
        /// It has failed once.
        public var isSecond = false
        /// With as few buffers as it works with.
        public var isFrugal = false
    }

    /// What is to be tried now, or has been and works.
    public private(set) var step: Step
    /// Why it is no step higher; `hardware: no device`. Nil: it is the highest.
    public private(set) var reason: String?
    /// Of the last failure, with its numbers.
    public private(set) var detail: String?

    private let choice: Choice
    private let isInSoftware: Bool
    private var failures: [String: Int] = [:]
    private var excluded: Set<String> = []

    private static let mostFailures = 2

    /// - Parameter isInSoftware: whether libavcodec decodes the stream, too.
    public init(_ choice: Choice, isInSoftware: Bool = true) {
        self.choice = choice
        self.isInSoftware = isInSoftware
        step = .findDevice(excluding: [])
        if choice == .software { leaveDevices("hardware: forbidden") }
    }

    /// Only while `step` is `findDevice`.
    public mutating func deviceFound(_ device: String) {
        guard case .findDevice = step else { return }
        step = .open(Attempt(device: device, isSecond: failures[device] != nil))
    }

    /// Likewise.
    /// - Parameter why: `hardware: no device`.
    public mutating func noDeviceFound(_ why: String) {
        guard case .findDevice = step else { return }
        // That nobody else can do it says less than why the one who could did not.
        leaveDevices(reason ?? why)
    }

    private mutating func leaveDevices(_ why: String) {
        step = choice == .hardware || !isInSoftware ? .nothing : .software
        reason = choice == .hardware || isInSoftware ? why : why + ", software: no decoder"
    }

    /// It works, and has for long: what it did before does not count any more.
    public mutating func deviceProved() {
        guard case .open(let attempt) = step else { return }
        failures[attempt.device] = nil
    }

    /// Only while `step` is `open`.
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
    /// The same device may do it when it is opened anew.
    var mayPass: Bool {
        switch self {
        case .wedged, .fruitless, .outOfMemory: true
        case .noDevice, .refusedFormat, .unknownPictures, .badFormat, .restless, .picturesKept, .unitTooLarge,
            .nonsense, .untimed, .gone, .failed:
            false
        }
    }
}
