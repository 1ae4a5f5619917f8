// SPDX-License-Identifier: Apache-2.0
import Bytes
import Media
import Time
import Timelines
import Venue

/// One tuned channel of a transport stream from datagrams to history: who may send, order, continuity, random-access
/// points, and the clock of its stream.
///
/// Sans I/O: datagrams, kernel drops and ticks are its only input (rule 11), so a replayed log gives equal counters.
/// Owned by one thread. Allocates nothing once the program's tables have been seen.
public final class FlowReceiver {
    /// Nil for a stream that is bare in UDP.
    private let flow: RTPFlow?
    private var feed: StreamFeed
    /// One of each part, since each has a socket of its own.
    private var datagrams = FlowPart.allCases.map { _ in DatagramCounter() }
    private var meter: QualityMeter
    /// As of the tick before.
    private var datagramsBefore: Int64 = 0

    /// A flow without repair and second path.
    /// - Parameter program: its number; nil for the first.
    public convenience init(
        _ encapsulation: Transport.Encapsulation, program: UInt16? = nil, into history: HistoryBuffer,
        limits: MonitorLimits = MonitorLimits()
    ) {
        self.init(encapsulation, nil, program: program, into: history, limits)
    }

    /// - Parameters:
    ///   - bandwidthKbps: nominal, which the memory of a protected flow is measured by; 0: not known.
    ///   - program: its number; nil for the first.
    public convenience init(
        _ transport: Transport, bandwidthKbps: Int = 0, program: UInt16? = nil, into history: HistoryBuffer,
        limits: MonitorLimits = MonitorLimits()
    ) {
        let protection = FlowProtection(transport, bandwidthKbps: bandwidthKbps)
        self.init(transport.encapsulation, protection, program: program, into: history, limits)
    }

    private init(
        _ encapsulation: Transport.Encapsulation, _ protection: FlowProtection?, program: UInt16?,
        into history: HistoryBuffer, _ limits: MonitorLimits
    ) {
        if case .rtp(let payloadType) = encapsulation {
            flow = RTPFlow(payloadType: payloadType, delivering: .payload, protection: protection)
        } else {
            flow = nil
        }
        feed = StreamFeed(program: program, into: history, limits: limits)
        meter = QualityMeter(limits: limits)
    }

    public var counters: ReceptionCounters {
        var result = feed.counters
        for part in datagrams { result.add(part.counters) }
        if let flow { result.add(flow.counters) }
        return result
    }

    /// As of the last whole second.
    public var quality: StreamQuality { meter.quality }

    /// Number of the program that is followed; nil for the first.
    public var program: UInt16? { feed.program }

    /// Between the stream's time stamps and our clock; nil before the clock is known.
    public var correlation: StreamCorrelation? { feed.correlation }

    /// Follows another program: its random-access points and its clock. The history stays: all programs are in it.
    public func follow(program: UInt16?) { feed.follow(program: program) }

    public func datagramReceived(
        _ bytes: UnsafeRawBufferPointer, of part: FlowPart = .media, at arrival: Monotonic
    ) {
        datagrams[part.rawValue].received(octets: bytes.count)
        guard let flow else { return feed.store(bytes, at: arrival, afterLoss: false) }
        flow.packetReceived(bytes, of: part, at: arrival) {
            feed.senderChanged()
        } deliver: { payload, arrival, afterLoss in
            feed.store(payload, at: arrival, afterLoss: afterLoss)
        }
    }

    /// A datagram longer than any slot: nothing of it can be trusted.
    public func truncatedDatagramReceived(of part: FlowPart = .media) { datagrams[part.rawValue].truncatedReceived() }

    /// - Parameter total: the socket's own count, which wraps.
    public func kernelDropsReported(total: UInt32, of part: FlowPart = .media) {
        let news = datagrams[part.rawValue].dropsReported(total: total)
        if part.isMedia { flow?.kernelDropped(news) }
    }

    /// Time passed without a datagram, or a batch ended.
    public func tick(at now: Monotonic) {
        flow?.tick(at: now) { payload, arrival, afterLoss in
            feed.store(payload, at: arrival, afterLoss: afterLoss)
        }
        flow?.accountLosses(at: now)
        // Only where nothing came can what is not here be late: a thread that lags has it in the socket still.
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
