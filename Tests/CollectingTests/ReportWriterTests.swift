// SPDX-License-Identifier: Apache-2.0
import Synchronization
import System
import TestSupport
import Testing
import Time

@testable import Collecting

@Suite struct ReportWriterTests {
    /// A store in memory that can be told to fail.
    private final class Fake: Sendable {
        struct State {
            var trouble: StoreError?
            var groups: [[IncomingBatch]] = []
            var openings = 0
            /// A box whose batches are never taken.
            var poison = ""
        }
        let state = Mutex(State())

        var store: ReportStore {
            ReportStore(
                openWriter: { [self] () throws(StoreError) in
                    let trouble = state.withLock { state in
                        state.openings += 1
                        return state.trouble
                    }
                    if let trouble, trouble.kind == .gone { throw trouble }
                    return StoreWriter(
                        commit: { [self] (batches) throws(StoreError) in
                            if let trouble = state.withLock({ $0.trouble }) { throw trouble }
                            let poison = state.withLock { $0.poison }
                            if batches.contains(where: { $0.source.box == poison }) {
                                throw StoreError(.other, "poison")
                            }
                            state.withLock { $0.groups.append(batches) }
                            return batches.map { batch in
                                var outcome = BatchOutcome()
                                outcome.new = batch.reports.count
                                return outcome
                            }
                        }, keepUp: { (_) throws(StoreError) in false })
                }, openReader: { () throws(StoreError) in throw StoreError(.gone, "nobody reads") },
                openKeeper: { () throws(StoreError) in throw StoreError(.gone, "nobody tells") })
        }
    }

    private final class Answers: Sendable {
        let results = Mutex<[Result<BatchOutcome, StoreError>]>([])

        func wait(for count: Int) async throws -> [Result<BatchOutcome, StoreError>] {
            while results.withLock({ $0.count }) < count { try await Task.sleep(for: .milliseconds(2)) }
            return results.withLock { $0 }
        }

        func add(_ result: Result<BatchOutcome, StoreError>) { results.withLock { $0.append(result) } }
    }

    @Test(.timeLimit(.minutes(1))) func batchesThatComeTogetherAreOneTransaction() async throws {
        let (fake, answers) = (Fake(), Answers())
        var options = ReportWriter.Options()
        options.gathering = .milliseconds(200)
        options.mostReports = 25
        let writer = try ReportWriter(fake.store, options)
        for number in 0..<100 { writer.submit(Samples.batch([1, 2, 3], of: "b-\(number)")) { answers.add($0) } }
        let results = try await answers.wait(for: 100)
        #expect(results.allSatisfy { (try? $0.get())?.new == 3 })
        let groups = fake.state.withLock { $0.groups }
        #expect(groups.joined().map(\.source.box) == (0..<100).map { "b-\($0)" })
        #expect(groups.allSatisfy { $0.count <= 8 } && groups.count <= 20)
        #expect(writer.queue.reports == 0 && writer.queue.octets == 0)
        writer.stop()
        #expect(writer.counters.kept == 300 && writer.counters.isHealthy == 1)
    }

    @Test(.timeLimit(.minutes(1)), arguments: StoreError.Kind.allCases)
    func troubleIsAnsweredAndPasses(kind: StoreError.Kind) async throws {
        let (fake, answers) = (Fake(), Answers())
        let writer = try ReportWriter(fake.store)
        let trouble = StoreError(kind, "as told")
        fake.state.withLock { $0.trouble = trouble }
        writer.submit(Samples.batch([1])) { answers.add($0) }
        #expect(try await answers.wait(for: 1).last == .failure(trouble))
        #expect(writer.trouble == trouble && writer.counters.isHealthy == 0 && writer.queue.reports == 0)
        fake.state.withLock { $0.trouble = nil }
        writer.submit(Samples.batch([1])) { answers.add($0) }
        guard case .success = try await answers.wait(for: 2)[1] else { return #expect(Bool(false)) }
        #expect(writer.trouble == nil)
        writer.stop()
        #expect(fake.state.withLock { $0.openings } >= 2)
    }

    /// One batch that the store cannot take does not keep others from it.
    @Test(.timeLimit(.minutes(1))) func aBatchThatIsPoisonIsAlone() async throws {
        let (fake, answers) = (Fake(), Answers())
        fake.state.withLock { $0.poison = "bad" }
        var options = ReportWriter.Options()
        options.gathering = .milliseconds(100)
        let writer = try ReportWriter(fake.store, options)
        for box in ["a", "bad", "c"] { writer.submit(Samples.batch([1], of: box)) { answers.add($0) } }
        let results = try await answers.wait(for: 3)
        #expect(results.map { (try? $0.get()) != nil } == [true, false, true])
        writer.stop()
        #expect(writer.queue.reports == 0)
    }

    /// Nobody sends anything, and it is known nevertheless that the store is well again.
    @Test(.timeLimit(.minutes(1))) func triesAStoreThatFailed() async throws {
        let (fake, answers) = (Fake(), Answers())
        fake.state.withLock { $0.trouble = StoreError(.full, "full") }
        var options = ReportWriter.Options()
        (options.upkeepPeriod, options.troubledPeriod) = (.milliseconds(5), .milliseconds(5))
        let writer = try ReportWriter(fake.store, options)
        writer.submit(Samples.batch([1])) { answers.add($0) }
        _ = try await answers.wait(for: 1)
        try await Task.sleep(for: .milliseconds(30))
        #expect(writer.trouble?.kind == .full)
        fake.state.withLock { $0.trouble = nil }
        while writer.trouble != nil { try await Task.sleep(for: .milliseconds(2)) }
        writer.stop()
    }

    @Test func whatWaitsAtTheEndIsWritten() throws {
        let (fake, answers) = (Fake(), Answers())
        var options = ReportWriter.Options()
        options.gathering = .seconds(3_600)
        let writer = try ReportWriter(fake.store, options)
        for _ in 0..<10 { writer.submit(Samples.batch([1])) { answers.add($0) } }
        writer.stop()
        #expect(answers.results.withLock { $0.count } == 10)
    }

    @Test(.timeLimit(.minutes(1))) func questionsAreAnsweredOnAnotherThread() async throws {
        let made = try StoreKind.sqlite.make()
        _ = try made.store.openWriter().commit([Samples.batch([1])])
        let reading = try ReportReading(made.store)
        let found = Mutex<[String]>([])
        #expect(
            reading.ask({ (reader) throws(StoreError) in
                let boxes = try reader.latest("", 9).map(\.source.box)
                found.withLock { $0 += boxes }
            }) { _ in })
        reading.stop()
        #expect(found.withLock { $0 } == ["b-1"])
        let broken = try ReportReading(Fake().store)
        #expect(broken.ask({ (_) throws(StoreError) in }) { error in found.withLock { $0.append(error.description) } })
        broken.stop()
        #expect(found.withLock { $0.last } == "nobody reads")
    }
}
