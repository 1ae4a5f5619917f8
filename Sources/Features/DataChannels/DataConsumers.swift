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
    private let commands: DataChannels.Commands
    private(set) var counters = Counters()
    private var logged: Set<[String]> = []

    init(_ settings: Settings.Data, _ commands: DataChannels.Commands, log: Log) {
        catalogue = commands.catalogue
        consumption = DataConsumption(allowed: settings.allowedCommands, in: catalogue)
        self.commands = commands
        self.log = log
    }

    func use(_ settings: Settings.Data) {
        consumption = DataConsumption(allowed: settings.allowedCommands, in: catalogue)
    }

    func consume(_ delivery: DataBus<DataPlane.Observer>.Delivery, as kind: Settings.Data.Consumer.Kind) {
        do throws(DataConsumption.Refusal) {
            switch try consumption.task(
                for: kind, contentType: delivery.contentType, text: delivery.text, octets: delivery.message.octets)
            {
            case .command(let request): execute(request, delivery)
            case .signed(let envelope): take(envelope, delivery)
            }
        } catch {
            counters.refused += 1
            tell("message refused", delivery, "\(error)")
        }
    }

    private func take(_ envelope: [UInt8], _ delivery: DataBus<DataPlane.Observer>.Delivery) {
        guard let problem = commands.takeSigned(envelope, delivery.channel.name) else {
            counters.consumed += 1
            return
        }
        counters.refused += 1
        tell("signed command refused", delivery, problem)
    }

    private func execute(_ request: CommandRequest, _ delivery: DataBus<DataPlane.Observer>.Delivery) {
        var request = request
        // Anybody in the network can send to a group: what it says is done with the role operator at most.
        request.caller = Caller(.dataChannel, role: .operator, name: delivery.channel.name)
        commands.dispatch(request) { [weak self] outcome in
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
