// SPDX-License-Identifier: Apache-2.0
import Commands
import DataReception
import Journal
import Settings
import Statistics
import Venue

/// Executes the messages of data channels that the box consumes. Every refusal is counted; each kind of refusal is
/// logged once for each channel.
final class DataConsumers {
    struct Counters: Sendable {
        var consumed: Int64 = 0
        var refused: Int64 = 0
        var failed: Int64 = 0

        static let statistics: [Statistic<Self>] = [
            .counter("consumed", \.consumed, "messages", "Messages that the box did as they say."),
            .counter("refused", \.refused, "messages", "Messages that are nothing that the box does.", .fault),
            .counter("failed", \.failed, "messages", "Messages that were understood and could not be done.", .fault),
        ]
    }

    private static let logLimit = 256

    private let catalogue: Catalogue
    private var consumption: DataConsumption
    private let log: Log
    private let dispatch: DataChannels.Commands.Dispatch
    private(set) var counters = Counters()
    private var logged: Set<[String]> = []

    init(_ settings: Settings.Data, _ commands: DataChannels.Commands, log: Log) {
        catalogue = commands.catalogue
        consumption = DataConsumption(allowed: settings.allowedCommands, in: catalogue)
        dispatch = commands.dispatch
        self.log = log
    }

    func use(_ settings: Settings.Data) {
        consumption = DataConsumption(allowed: settings.allowedCommands, in: catalogue)
    }

    func consume(_ delivery: DataBus<DataPlane.Observer>.Delivery, as kind: Settings.Data.Consumer.Kind) {
        let request: CommandRequest
        do throws(DataConsumption.Refusal) {
            request = try consumption.request(
                for: kind, contentType: delivery.contentType, text: delivery.text, octets: delivery.message.octets)
        } catch {
            counters.refused += 1
            return tell("message refused", delivery, "\(error)")
        }
        dispatch(request) { [weak self] outcome in
            switch outcome {
            case .success: self?.counters.consumed += 1
            case .failure(let status):
                self?.counters.failed += 1
                self?.tell("message not executed", delivery, status.errorString)
            }
        }
    }

    private func tell(_ what: StaticString, _ delivery: DataBus<DataPlane.Observer>.Delivery, _ why: String) {
        let name = delivery.channel.name
        guard logged.count < Self.logLimit, logged.insert([what.description, name, why]).inserted else { return }
        log(.warning, what, ["channel": name, "sequence": delivery.message.sequence, "why": why])
    }
}
