// SPDX-License-Identifier: Apache-2.0
import Bytes
import Media
import Time
import Timelines
import TransportStream
import Venue

/// One tuned channel of a transport stream, from datagrams to history: accepts one sender, puts packets in order,
/// checks continuity, finds random-access points and follows the stream's clock.
///
/// Sans I/O: datagrams, kernel drops and ticks are its only input (design rule 11), so a replayed log gives equal
/// counters.
/// Owned by one thread. Allocates nothing once the program's tables have been seen.
public final class FlowReceiver {
    /// nil for a transport stream that comes in UDP without RTP.
    private var flow: RTPFlow?
    /// nil if somebody has said whether the stream comes in RTP.
    private var framing: FramingChoice?
    /// What came in RTP before the stream came without it.
    private var counted = ReceptionCounters()
    private let makeFlow: () -> RTPFlow
    /// Whom recovered packets are told to; nil if nobody.
    private var tap: (any InputTap)?
    private var feed: StreamFeed
    /// Where parity may be found that nobody announced; nil if it is not looked for.
    private let conventional: RepairParity?
    /// One for each part, since each part has its own socket.
    private var datagrams = FlowPart.allCases.map { _ in DatagramCounter() }
    private var meter: QualityMeter
    /// The total of all parts at the tick before.
    private var datagramsBefore: Int64 = 0

    /// Makes the receiver of a flow without repair and without a second path.
    /// - Parameter program: nil for the first program.
    public convenience init(
        _ encapsulation: Transport.Encapsulation, program: ProgramChoice? = nil, into history: HistoryBuffer,
        limits: MonitorLimits = MonitorLimits()
    ) {
        self.init(encapsulation, nil, nil, program: program, into: history, limits)
    }

    /// - Parameters:
    ///   - bandwidthKbps: nominal bandwidth, which decides the memory of a protected flow; 0 when it is not known.
    ///   - program: nil for the first program.
    ///   - findsParity: whether parity is looked for if the transport says nothing of repair.
    public convenience init(
        _ transport: Transport, bandwidthKbps: Int = 0, program: ProgramChoice? = nil, findsParity: Bool = false,
        into history: HistoryBuffer, limits: MonitorLimits = MonitorLimits()
    ) {
        let protection = FlowProtection(transport, bandwidthKbps: bandwidthKbps)
        self.init(
            transport.encapsulation, protection, findsParity ? transport.conventionalParity : nil, program: program,
            into: history, limits)
    }

    private init(
        _ encapsulation: Transport.Encapsulation, _ protection: FlowProtection?, _ conventional: RepairParity?,
        program: ProgramChoice?, into history: HistoryBuffer, _ limits: MonitorLimits
    ) {
        self.conventional = conventional
        let (payloadType, isAutomatic): (UInt8, Bool) =
            switch encapsulation {
            case .rtp(let payloadType): (payloadType, false)
            case .automatic: (33, true)
            case .raw, .elementary: (33, false)
            }
        let findsParity = conventional != nil
        let makeFlow = {
            RTPFlow(
                payloadType: payloadType, takesAnyPayloadType: isAutomatic, delivering: .payload,
                protection: protection, findsParity: findsParity)
        }
        self.makeFlow = makeFlow
        switch encapsulation {
        case .rtp, .automatic: flow = makeFlow()
        case .raw, .elementary: flow = nil
        }
        framing = isAutomatic ? FramingChoice() : nil
        feed = StreamFeed(program: program, into: history, limits: limits)
        meter = QualityMeter(limits: limits)
    }

    public var counters: ReceptionCounters {
        var result = feed.counters()
        result.add(counted)
        for part in datagrams { result.add(part.counters) }
        if let flow { result.add(flow.counters) }
        return result
    }

    /// Quality as of the last whole second.
    public var quality: StreamQuality { meter.quality }

    /// The program that is followed; nil for the first program.
    public var program: ProgramChoice? { feed.program }

    /// Relates the stream's time stamps to our clock; nil before the clock is known.
    public var correlation: StreamCorrelation? { feed.correlation }

    /// Follows another program's random-access points and clock. The history is kept: all programs are in it.
    public func follow(program: ProgramChoice?) { feed.follow(program: program) }

    public func datagramReceived(
        _ bytes: UnsafeRawBufferPointer, of part: FlowPart = .media, at arrival: Monotonic
    ) {
        // What comes to these ports may be anything, and the channel lacks nothing without it.
        let isSought = !part.isMedia && isSearching
        if !isSought { datagrams[part.rawValue].received(octets: bytes.count) }
        if part == .media, framing?.look(at: bytes) == true { change(to: framing?.form) }
        guard let flow else {
            // Without sequence numbers a second path cannot be told from the first.
            guard part == .media else { return }
            if feed.isRepeated(bytes) {
                counted.duplicatePackets += 1
            } else {
                feed.store(bytes, at: arrival, afterLoss: false)
            }
            return
        }
        flow.packetReceived(bytes, of: part, at: arrival) {
            feed.senderChanged()
        } deliver: { payload, arrival, afterLoss in
            feed.store(payload, at: arrival, afterLoss: afterLoss)
        }
    }

    /// The datagrams from now on are of another form than before, or the first ones.
    private func change(to form: FramingChoice.Form?) {
        switch (form, flow) {
        case (.rtp, nil):
            feed.senderChanged()
            flow = makeFlow()
            flow?.tap = tap
        case (.bare, .some(let before)):
            before.flush { payload, arrival, afterLoss in
                feed.store(payload, at: arrival, afterLoss: afterLoss)
            }
            counted.add(before.counters)
            counted.payloadType = -1
            feed.senderChanged()
            flow = nil
        default: break
        }
    }

    /// Counts a datagram that was longer than a slot of the batch; its content is not used.
    public func truncatedDatagramReceived(of part: FlowPart = .media) {
        if part.isMedia || !isSearching { datagrams[part.rawValue].truncatedReceived() }
    }

    /// - Parameter total: the socket's own drop count (`SO_RXQ_OVFL`), which wraps.
    public func kernelDropsReported(total: UInt32, of part: FlowPart = .media) {
        guard part.isMedia || !isSearching else { return }
        let news = datagrams[part.rawValue].dropsReported(total: total)
        if part.isMedia { flow?.kernelDropped(news) }
    }

    // MARK: Parity that nobody announced

    private var isSearching: Bool { conventional != nil && (flow?.isSearching ?? true) }

    /// nil until parity of this flow was found, and when it is used.
    var found: RepairParity? {
        guard let finding = flow?.finding, var parity = conventional else { return nil }
        if !finding.hasColumns { parity.columns = nil }
        if !finding.hasRows { parity.rows = nil }
        parity.span = finding.span
        parity.isFound = true
        return parity
    }

    /// Whether nothing of use comes to a port at which parity is looked for.
    func isForeign(_ part: FlowPart) -> Bool {
        guard conventional != nil, !part.isMedia else { return false }
        return flow.map { $0.isForeign(part) } ?? true
    }

    func reinforce(by reinforcement: FlowReinforcement) { flow?.reinforce(by: reinforcement) }

    /// Repairs by what was found, from the next tick on, as a replay needs it.
    /// - Parameter transport: the flow's, with the repair that was found.
    public func reinforce(by transport: Transport, bandwidthKbps: Int, hold: Nanoseconds) {
        guard let protection = FlowProtection(transport, bandwidthKbps: bandwidthKbps) else { return }
        reinforce(by: FlowReinforcement(protection, allowed: hold))
    }

    /// Has recovered packets told to a tap.
    func tell(_ tap: any InputTap) {
        self.tap = tap
        flow?.tap = tap
    }

    /// To be called after each batch, and when time has passed without a datagram.
    public func tick(at now: Monotonic) {
        flow?.tick(at: now) { payload, arrival, afterLoss in
            feed.store(payload, at: arrival, afterLoss: afterLoss)
        }
        flow?.accountLosses(at: now)
        // Something can be overdue only when nothing came: for a thread that lags, it may still be in the socket.
        let count = datagrams.reduce(0) { $0 + $1.counters.datagrams }
        if count == datagramsBefore, flow?.isHolding != true { feed.silent(until: now) }
        datagramsBefore = count
        meter.tick(at: now) {
            var reading = QualityMeter.Reading(&feed)
            for part in datagrams { reading.add(nil, part) }
            if let flow { reading.add(flow, nil) }
            return reading
        }
    }
}
