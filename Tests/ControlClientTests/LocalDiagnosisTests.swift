// SPDX-License-Identifier: Apache-2.0
import Commands
import Diagnosing
import Foundation
import Inspection
import JSON
import Shapes
import System
import Testing

@testable import ControlClient

/// What the client says of a box whose service does not answer.
struct LocalDiagnosisTests {
    private static let socket = "/nowhere/at/all/control.sock"
    private static let nothing = MachineInspection(root: "/nowhere/at/all")

    private func diagnosis(_ error: ControlClientError) throws -> ChainDiagnosis {
        try #require(LocalDiagnosis(of: error, inspection: Self.nothing)).diagnosis
    }

    /// Whatever kept the service from answering, the service is blamed, with what to do.
    @Test func theServiceIsBlamed() throws {
        let rows: [(ControlClientError, String)] = [
            (.unreachable(Self.socket, .refused), "is not running"),
            (.unreachable(Self.socket, .notFound), "is not running"),
            (.unreachable(Self.socket, .notPermitted), "does not admit this user"),
            (.silent(Self.socket), "hangs"), (.closed(Self.socket), "closed the connection"),
            (.notOurs(Self.socket), "is not touchlined"),
            (.broken(Self.socket, SystemCallError("recv", .notFound)), "is gone"),
        ]
        for (error, part) in rows {
            let found = try diagnosis(error)
            #expect(found.blamed?.link == .service && found.observer == .client, "\(found.sentence)")
            #expect(found.sentence.contains(part), "\(found.sentence)")
        }
    }

    /// Nobody was asked: the command line is wrong.
    @Test func aSocketThatCannotBe() {
        #expect(LocalDiagnosis(of: .pathTooLong("a", limit: 107)) == nil)
    }

    /// Links of which only the service knows are unknown; those of the machine are looked at.
    @Test func whatIsKnownWithoutIt() throws {
        let found = try diagnosis(.silent(Self.socket))
        let known = found.findings.filter { $0.state != .unknown }.map(\.link)
        #expect(known.contains(.link) && !known.contains(.stream) && !known.contains(.sound))
    }

    /// The answer has the form of the command's, and its sentence stands below the table, in lines of a terminal.
    @Test func howItIsPrinted() throws {
        let answer = try diagnosis(.unreachable(Self.socket, .refused)).json
        let description = AnswerDescription(.table, ChainDiagnosis.descriptions)
        #expect(description.kind.problems(of: answer).isEmpty)
        let text = AnswerText(isStyled: false).text(of: answer, as: description)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(lines.allSatisfy { $0.count <= 80 }, "\(text)")
        let end = try #require(lines.firstIndex(of: ""))
        #expect(end == ChainLink.allCases.count + 1)
        let sentence = lines[(end + 1)...].joined(separator: " ")
        #expect(sentence.hasPrefix("The first broken link is service: touchlined is not running"), "\(sentence)")
        #expect(sentence.hasSuffix("touchline log. "), "\(sentence)")
        let long = AnswerText(isStyled: false, isLong: true).text(of: answer, as: description)
        #expect(long.contains("systemctl start touchline") && long.contains("The first broken link is service"))
    }
}
