// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Time

@testable import Forwarding

/// A box that reports, its disk, a reporter and the network between them. It keeps account of every report.
final class SpoolWorld {
    enum Action {
        case report(SpoolRecord.Kind, octets: Int)
        case wait(Nanoseconds)
        /// Requests are made and reach the reporter; answers are under way.
        case send
        /// One of the answers arrives.
        case deliver
        case kill
        case losePower
    }

    let disk = FakeDisk()
    private(set) var reporter = FakeReporter()
    private(set) var spool: Spool
    private var schedule: UploadSchedule
    private var answers: [(number: UInt64, answer: UploadAnswer)] = []
    private let options: SpoolOptions

    /// Percent of requests and of answers that are lost, of answers that come twice, and of batches taken in part.
    var badNetwork = 0
    /// Whether the box may lose power when its process ends.
    var losesPower = false
    var random: SplitMix64
    private var now: Monotonic
    private var elapsed = Nanoseconds.zero
    private var isClockSet = true

    // MARK: Account

    /// Every report, with its payload, which no other has.
    private(set) var made: [ReportID: [UInt8]] = [:]
    /// Reports that were on the disk once.
    private(set) var promised: Set<ReportID> = []
    /// Reports that the box knows to be with the reporter.
    private(set) var acknowledged: Set<ReportID> = []
    private(set) var refused: Set<ReportID> = []
    private(set) var starts = 0
    private(set) var powerCuts = 0
    /// Reports that were counted as lost by a process that ended before it said so.
    private(set) var countedAtEnds: Int64 = 0
    private(set) var disagreements: [String] = []
    private var lastLost: Int64 = 0
    private var noted: UInt64 = 0

    init(_ options: SpoolOptions, seed: UInt64) {
        self.options = options
        var random = SplitMix64(seed: seed)
        let start = Monotonic(nanoseconds: 0)
        spool = Spool(disk, options, at: Moment(start, nil), &random)
        schedule = UploadSchedule(box: "box", interval: .seconds(10), at: start)
        (self.random, now) = (random, start)
    }

    var moment: Moment {
        Moment(now, isClockSet ? WallTime(nanoseconds: 1_795_262_400_000_000_000 + elapsed.count) : nil)
    }

    func perform(_ action: Action) {
        switch action {
        case .report(let kind, let octets): report(kind, octets)
        case .wait(let span):
            now += span
            elapsed = elapsed + span
            spool.tick(at: moment)
        case .send: send()
        case .deliver: deliver()
        case .kill: disk.kill()
        case .losePower:
            disk.kill()
            cutPower()
        }
        let counters = schedule.counters
        if counters.attempts != counters.successes + counters.failures + counters.inFlight {
            disagreements.append("\(counters)")
        }
        if disk.isDead { start() } else { note() }
    }

    private func report(_ kind: SpoolRecord.Kind, _ octets: Int) {
        let first = random.percent(3) ? FakeReporter.refusedOctet : UInt8(ascii: "r")
        let payload = [first] + Array("\(made.count) ".utf8) + [UInt8](repeating: 0x2E, count: octets)
        let boot = spool.boot
        guard let sequence = spool.append(kind, payload, at: moment) else { return }
        if made.updateValue(payload, forKey: ReportID(boot: boot, sequence: sequence)) != nil {
            disagreements.append("\(boot) gives sequence \(sequence) twice")
        }
    }

    private func send() {
        while true {
            let action = schedule.next(at: now, &random) { spool.summary(octets: $0, at: now) }
            switch action {
            case .wait: return
            case .abandon: continue
            case .send(let number, let batch, _):
                if random.percent(badNetwork) { continue }
                let isPartial = random.percent(badNetwork)
                let answer = reporter.take(batch, atMost: isPartial ? Int.random(in: 0...3, using: &random) : .max)
                if random.percent(badNetwork) { continue }
                answers.append((number, answer))
                if random.percent(badNetwork) { answers.append((number, answer)) }
            }
        }
    }

    private func deliver() {
        guard !answers.isEmpty else { return }
        let (number, answer) = answers.remove(at: Int.random(in: answers.indices, using: &random))
        guard let settlement = schedule.answered(number, answer, at: now, &random) else { return }
        // What was given up meanwhile is counted as lost already.
        let pending = pendingReports(of: settlement.boot)
        acknowledged.formUnion(ReportID.all(settlement.acknowledged, of: settlement.boot).filter(pending.contains))
        refused.formUnion(ReportID.all(settlement.refused, of: settlement.boot).filter(pending.contains))
        spool.settle(settlement, at: moment)
    }

    // MARK: The process

    private func cutPower() {
        disk.losePower(&random)
        powerCuts += 1
    }

    /// A new process begins where the last one ended.
    private func start() {
        if losesPower, random.percent(50) { cutPower() }
        // What was acknowledged and is to be sent again is not settled.
        let pending = pendingOnDisk
        acknowledged.subtract(pending)
        refused.subtract(pending)
        now = Monotonic(nanoseconds: Int64.random(in: 0...1_000_000_000, using: &random))
        isClockSet = random.percent(80)
        repeat {
            starts += 1
            disk.restart()
            spool = Spool(disk, options, at: moment, &random)
        } while disk.isDead
        schedule = UploadSchedule(box: "box", interval: .seconds(10), at: now)
        answers = []  // the connections are closed
        noted = 0
        let lost = spool.counters.lost
        countedAtEnds += max(0, lost - lastLost)
        lastLost = lost
    }

    /// What the files have and do not say to be settled.
    private var pendingOnDisk: Set<ReportID> {
        var state = SpoolState()
        if let octets = disk.files[SpoolState.fileName] {
            do { state = try SpoolState(parsing: octets) } catch { disagreements.append("the state has \(error)") }
        }
        var pending: Set<ReportID> = []
        for (text, octets) in disk.files {
            guard let name = SegmentName(text) else { continue }
            let content = SegmentContent(octets, of: name.boot, from: name.first)
            let sequences = content.sequences.subtracting(state.settled[name.boot] ?? RangeSet())
            pending.formUnion(ReportID.all(sequences, of: name.boot))
        }
        return pending
    }

    private func pendingReports(of boot: BootID) -> Set<ReportID> {
        var pending = boot == spool.boot ? spool.intake.waitingSequences : RangeSet()
        for segment in spool.ledger.segments where segment.name.boot == boot {
            pending.formUnion(spool.ledger.pending(in: segment))
        }
        return Set(ReportID.all(pending, of: boot))
    }

    /// Reports that are newly on the disk.
    private func note() {
        lastLost = spool.counters.lost
        let through = spool.promisedThrough
        guard through > noted else { return }
        for sequence in noted + 1...through {
            let isThere = spool.ledger.segments.contains {
                $0.name.boot == spool.boot && spool.ledger.pending(in: $0).contains(sequence)
            }
            if isThere { promised.insert(ReportID(boot: spool.boot, sequence: sequence)) }
        }
        noted = through
    }

    // MARK: The end

    /// Everything is well from here on.
    /// - Returns: whether the reporter has got all that there is.
    func drain() -> Bool {
        (disk.faults, disk.capacity, disk.isReadOnly, badNetwork, losesPower) = ([:], .max, false, 0, false)
        perform(.kill)  // files that could not be read are read by the next process
        for _ in 0..<5_000 where spool.counters.pending > 0 {
            perform(.wait(.seconds(10)))
            perform(.send)
            while !answers.isEmpty { perform(.deliver) }
        }
        return spool.counters.pending == 0 && spool.problem == nil
    }

    /// What is wrong with the account, when everything is drained.
    var errors: [String] {
        var errors = disagreements
        let reports = reporter.reports
        if reporter.contradictions > 0 { errors.append("\(reporter.contradictions) sequences were given twice") }
        if Set(reports.values).count != reports.count { errors.append("a report came by two sequences") }
        if let other = reports.first(where: { made[$0.key] != $0.value }) { errors.append("nobody made \(other)") }
        let believed = acknowledged.subtracting(reports.keys)
        if !believed.isEmpty { errors.append("\(believed) were acknowledged and are not there") }
        let lost = spool.counters.lost
        if missing.count > lost { errors.append("\(missing.count) reports are gone, \(lost) counted: \(missing)") }
        let most = Int64(made.count - acknowledged.count - refused.count) + countedAtEnds
        if lost > most { errors.append("\(lost) reports are counted as lost, of at most \(most)") }
        return errors
    }

    /// Reports that were on the disk and are not with the reporter.
    var missing: Set<ReportID> { promised.subtracting(reporter.reports.keys).subtracting(refused) }
}
