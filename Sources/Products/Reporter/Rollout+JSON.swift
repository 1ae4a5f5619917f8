// SPDX-License-Identifier: Apache-2.0
import Database
import JSON
import Provisioning
import Shapes
import SignedEnvelopes
import Time

extension SettingsReport {
    private static let limits = JSONLimits(maximumDepth: 4, maximumOctets: 16 << 10, maximumValues: 256)

    /// nil if the text is no report.
    init?(text: String) {
        guard let document = try? JSONValue.parse(text, limits: Self.limits), Self.kind.problems(of: document).isEmpty
        else { return nil }
        self.init(reading: document)
    }

    /// - Throws: the sentence that says what is wrong with it.
    init(octets: [UInt8]) throws(ReporterRefusal) {
        let document: JSONValue
        do {
            document = try JSONValue.parse(octets, limits: Self.limits)
        } catch {
            throw ReporterRefusal(400, "\(error)")
        }
        let problems = Self.kind.problems(of: document)
        guard problems.isEmpty else {
            throw ReporterRefusal(422, problems.prefix(8).map(\.description).joined(separator: "; "))
        }
        self.init(reading: document)
    }
}

extension SignedOrder {
    /// nil if the text is no envelope of an order.
    init?(envelopeText: String) {
        guard let envelope = try? SignedEnvelope(parsing: Array(envelopeText.utf8)),
            envelope.payloadType == SignedOrder.payloadType,
            let order = try? SignedOrder(payload: envelope.payload)
        else { return nil }
        self = order
    }
}

extension Rollout.Wave {
    /// A number of boxes, or a share of them as "10%".
    init?(_ value: JSONValue) {
        if let count = value.integer, (1...Int64(DesiredState.mostBoxes)).contains(count) {
            self = .boxes(Int(count))
        } else if let text = value.string, text.hasSuffix("%"), let percent = Int(text.dropLast()),
            (1...100).contains(percent), text == "\(percent)%"
        {
            self = .percent(percent)
        } else {
            return nil
        }
    }

    var json: JSONValue {
        switch self {
        case .boxes(let count): .integer(Int64(count))
        case .percent(let percent): .string("\(percent)%")
        }
    }
}

extension [Rollout.Wave] {
    init?(text: String) {
        guard let values = (try? JSONValue.parse(text))?.array else { return nil }
        let waves = values.compactMap { Rollout.Wave($0) }
        guard waves.count == values.count else { return nil }
        self = waves
    }

    var json: JSONValue { .array(map(\.json)) }
}

extension Rollout.State {
    init?(_ word: String, why: String?) {
        switch word {
        case "running": self = .running
        case "done": self = .done
        case "stopped": self = .stopped(why: why ?? "")
        default: return nil
        }
    }

    var word: String {
        switch self {
        case .running: "running"
        case .stopped: "stopped"
        case .done: "done"
        }
    }

    var columns: (word: Database.Value, why: Database.Value) {
        if case .stopped(let why) = self { return (.text(word), .text(why)) }
        return (.text(word), .null)
    }
}

extension Rollout.Outcome {
    init?(_ word: String, _ time: Int64?, why: String?) {
        let time = WallTime(nanoseconds: time ?? 0)
        switch word {
        case "waits": self = .waits
        case "offered": self = .offered(time)
        case "done": self = .done(time)
        case "failed": self = .failed(time, why: why ?? "")
        default: return nil
        }
    }

    var word: String {
        switch self {
        case .waits: "waits"
        case .offered: "offered"
        case .done: "done"
        case .failed: "failed"
        }
    }

    private var time: WallTime? {
        switch self {
        case .waits: nil
        case .offered(let time), .done(let time), .failed(let time, _): time
        }
    }

    var why: String? { if case .failed(_, let why) = self { why } else { nil } }

    var columns: (word: Database.Value, time: Database.Value, why: Database.Value) {
        (.text(word), time.map { .integer($0.nanoseconds) } ?? .null, why.map { .text($0) } ?? .null)
    }

    var json: JSONValue {
        var members: [String: JSONValue] = ["outcome": .string(word)]
        members["time"] = time.map { .string($0.description) }
        members["why"] = why.map { .string($0) }
        return .object(members)
    }
}

extension Rollout {
    /// - Parameter isLong: with each box.
    func json(isLong: Bool) -> JSONValue {
        var members: [String: JSONValue] = [
            "rollout": .integer(number), "order": .integer(order.revision), "target": order.target.json,
            "state": .string(state.word), "waves": terms.waves.json, "wave": .integer(Int64(begun)),
            "boxes": .integer(Int64(boxes.count)), "done": .integer(Int64(successes)),
            "failed": .integer(Int64(failures)), "mostFailures": .integer(Int64(terms.mostFailures)),
            "patienceS": .integer(terms.patience.seconds),
        ]
        members["comment"] = order.comment.map { .string($0) }
        if case .stopped(let why) = state { members["why"] = .string(why) }
        if isLong { members["outcomes"] = .object(outcomes.mapValues(\.json)) }
        return .object(members)
    }
}

extension DesiredState {
    func json(of box: String) -> JSONValue? {
        guard let kept = boxes[box] else { return nil }
        var members: [String: JSONValue] = [
            "box": .string(box), "name": .string(kept.report.name), "heard": .string(kept.heard.description),
            "drift": .string(drift(of: box).rawValue), "report": kept.report.json,
        ]
        if let rollout = desired(of: box) {
            members["desired"] = ["rollout": .integer(rollout.number), "order": .integer(rollout.order.revision)]
            members["why"] = rollout.outcomes[box]?.why.map { .string($0) }
        }
        return .object(members)
    }
}
