// SPDX-License-Identifier: Apache-2.0
import Hosting
import JSON
import Shapes

/// The event that a board's file of decoder limits is refused.
struct DecodersRefused: FeatureEvent {
    struct Fault: Answer {
        let problem: Problem

        static let shape = Shape<Self>([
            .value("field", \.problem.path, .text, "RFC 6901 pointer of the field"),
            .unlessNil("value", \.problem.value, .anything, "its value"),
            .value("expectation", \.problem.expectation, .text, "what was expected"),
        ])
    }

    let file: String
    let problems: [Problem]

    private var faults: [Fault] { problems.map { Fault(problem: $0) } }

    static let about = EventAbout(.service, "decodersRefused", "A board's file of its decoders is not taken.")
    static let shape = Shape<Self>([
        .value("file", \.file, .text, "name of the file"),
        .value("problems", \.faults, .list(of: .row), "all that is wrong with it"),
    ])
}
