// SPDX-License-Identifier: Apache-2.0
import Casting
import Journal
import System
import Time
import Venue

/// Relays each flow from one socket to another through a simulated bad network, until a signal or its time ends it.
public final class Relay {
    private let plan: RelayPlan
    private let log = Journal().log(for: "relay")
    private let loop: EventLoop
    private var impairment: Impairment
    private var flows: [RelayFlow] = []
    /// Indices of the flows of which it was told that they are not sent.
    private var interrupted: Set<Int> = []
    private var newestArrival = Monotonic(nanoseconds: 0)
    private var timer: (due: Monotonic, handle: EventLoop.Timer)?
    private var ledger: AppendedFile?
    private var failure: Status?

    /// - Throws: `Status` when a flow's socket or the ledger cannot be opened.
    public init(_ plan: RelayPlan) throws(Status) {
        self.plan = plan
        impairment = plan.makeImpairment()
        do {
            loop = try EventLoop()
            for flow in plan.flows { flows.append(try RelayFlow(flow, of: plan)) }
            ledger = try plan.ledger.map { path throws(SystemCallError) in try AppendedFile(creating: path) }
        } catch {
            throw .failure(.failed, "\(error)")
        }
    }

    /// - Parameter signals: made before any thread.
    public func run(until signals: borrowing SignalWatch) throws(Status) {
        do {
            _ = try loop.watch(signals.rawValue, for: .readable) { [unowned self] _ in loop.stop() }
            for (index, flow) in flows.enumerated() {
                _ = try loop.watch(flow.descriptor, for: .readable) { [unowned self] _ in receive(index) }
                let (from, to) = (plan.flows[index].from.text, plan.flows[index].to.text)
                log(.notice, "flow relayed", ["flow": index, "from": from, "to": to])
            }
            if let duration = plan.duration { _ = loop.after(duration) { [unowned self] in loop.stop() } }
            try loop.run()
        } catch {
            throw .failure(.failed, "\(error)")
        }
        end()
        if let failure { throw failure }
    }

    private func receive(_ index: Int) {
        do {
            try flows[index].receive { bytes, arrival in
                newestArrival = max(newestArrival, arrival)
                impairment.received(bytes, flow: index, at: newestArrival)
            }
        } catch {
            fail("\(error)")
        }
        sendDue()
    }

    private func sendDue() {
        impairment.takeDue(at: SystemClock.monotonic()) { bytes, flow, _ in flows[flow].send(bytes) }
        tellInterruptions()
        write(impairment.takeRecords().flatMap(\.line))
        guard let due = impairment.nextDue, timer.map({ due < $0.due }) ?? true else { return }
        if let timer { loop.cancel(timer.handle) }
        let handle = loop.after(max(.zero, due - SystemClock.monotonic())) { [unowned self] in
            timer = nil
            sendDue()
        }
        timer = (due, handle)
    }

    private func tellInterruptions() {
        for (index, flow) in flows.enumerated() {
            if let problem = flow.takeProblem(), interrupted.insert(index).inserted {
                log(.warning, "flow not sent", ["flow": index, "reason": problem])
            }
            if flow.isSent, interrupted.remove(index) != nil {
                log(.notice, "flow sent again", ["flow": index])
            }
        }
    }

    private func end() {
        for (index, flow) in flows.enumerated() {
            let totals = impairment.ledgers[index]
            write(plan.total(index, totals, kernelDrops: flow.kernelDrops, refused: flow.refused))
            log(
                .notice, "flow ended",
                [
                    "flow": index, "received": totals.received, "dropped": totals.dropped, "sent": totals.sent,
                    "duplicated": totals.duplicated, "reordered": totals.reordered, "corrupted": totals.corrupted,
                    "kernelDrops": flow.kernelDrops, "refused": flow.refused,
                ])
        }
    }

    private func write(_ lines: [UInt8]) {
        guard let ledger, !lines.isEmpty, failure == nil else { return }
        do {
            try ledger.append(lines)
        } catch {
            fail("\(error)")
        }
    }

    /// A relay that cannot read or write its ledger is of no use: it ends.
    private func fail(_ text: String) {
        failure = failure ?? .failure(.failed, text)
        loop.stop()
    }
}
