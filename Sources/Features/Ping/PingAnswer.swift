// SPDX-License-Identifier: Apache-2.0
import Shapes
import Time

/// What came of the echo requests to one host.
struct PingAnswer: Answer {
    struct Row: Answer {
        let sequence: Int
        let outcome: EchoRun.Outcome

        static let shape = Shape<Self>([
            .value("sequence", \.sequence, .count, "number of the request, from 1"),
            .computed("ms", .number, "milliseconds from the request to its reply; absent: none came") { row in
                if case .answered(let time) = row.outcome { PingAnswer.milliseconds(time) } else { nil }
            },
            .computed("outcome", .text, "answered, no answer, or why the request was not delivered and who says so") {
                row in
                switch row.outcome {
                case .answered: "answered"
                case .failed(let why): why
                case .awaited, .unanswered: "no answer"
                }
            },
        ])
    }

    let host: String
    let address: String
    let run: EchoRun

    private var probes: [Row] { run.outcomes.enumerated().map { Row(sequence: $0 + 1, outcome: $1) } }

    static let shape = Shape<Self>([
        .value("host", \.host, .text, "what was asked for"),
        .value("address", \.address, .text, "the address that was asked"),
        .value("probes", \.probes, .list(of: .row), "the requests, in their order"),
        .computed("sent", .count, "requests") { $0.run.outcomes.count },
        .computed("answered", .count, "requests that a reply came to") { $0.run.times.count },
        .computed("minMs", .number, "the least time; absent: no reply") { $0.run.times.min().map(milliseconds) },
        .computed("meanMs", .number, "the mean; absent: no reply") { answer in
            let times = answer.run.times
            guard !times.isEmpty else { return nil }
            return milliseconds(times.reduce(.zero, +) / Int64(times.count))
        },
        .computed("maxMs", .number, "the longest time; absent: no reply") { $0.run.times.max().map(milliseconds) },
        .computed("summary", .text, shownAs: FieldDisplay(style: .conclusion), "all of it in a line") { $0.summary },
    ])

    private var summary: String {
        let times = run.times
        let name = host == address ? address : "\(host) (\(address))"
        let head = "\(name): \(run.outcomes.count) sent, \(times.count) answered"
        guard let least = times.min(), let most = times.max() else { return head }
        let mean = times.reduce(.zero, +) / Int64(times.count)
        return head + ", \([least, mean, most].map { "\(Self.milliseconds($0))" }.joined(separator: "/")) ms"
    }

    /// To the microsecond.
    static func milliseconds(_ time: Nanoseconds) -> Double { Double(time.microseconds) / 1_000 }
}
