// SPDX-License-Identifier: Apache-2.0
import Commands
import JSON
import Settings
import TestSupport
import Testing
import Venue

@testable import Box
@testable import DataChannels

/// What messages may have the box do (SVM-48): a data channel cannot take over a box.
struct DataConsumptionTests {
    private func request(
        _ text: String, _ kind: Settings.Data.Consumer.Kind = .cues, type: String = "", allowing allowed: [String] = []
    ) throws -> CommandRequest {
        let task = try task(text, kind, type: type, allowing: allowed)
        guard case .command(let request) = task else { throw Status.failure(.failed, "\(task)") }
        return request
    }

    private func task(
        _ text: String, _ kind: Settings.Data.Consumer.Kind = .cues, type: String = "", allowing allowed: [String] = []
    ) throws(DataConsumption.Refusal) -> DataConsumption.Task {
        try DataConsumption(allowed: allowed, in: Box.catalogue).task(
            for: kind, contentType: type, text: text, octets: Array(text.utf8))
    }

    /// What is signed is not judged here, and needs no permission of the settings; what says that it is a plain cue is none.
    @Test func anEnvelopeIsPassedOn() throws {
        let envelope = #"{"payload":"","payloadType":"a","signatures":[]}"#
        let signed = DataConsumption.Task.signed(Array(envelope.utf8))
        #expect(try task(envelope) == signed && task("{", type: DataConsumption.signedType) == .signed([0x7b]))
        #expect(refusal(envelope, type: DataConsumption.cueType) == "expected an object with a command")
        #expect(refusal("a", .ticker, type: DataConsumption.signedType)?.hasPrefix("content type") == true)
    }

    private func refusal(
        _ text: String, _ kind: Settings.Data.Consumer.Kind = .cues, type: String = "", allowing allowed: [String] = []
    ) -> String? {
        thrown(DataConsumption.Refusal.self) { try request(text, kind, type: type, allowing: allowed) }?.description
    }

    @Test func aTextRunsInTheTicker() throws {
        let ticker = try CommandRequest(command: "ticker", arguments: ["text": "Full time 2:1"], in: Box.catalogue)
        for type in ["", "text/plain", "text/plain; charset=utf-8", "Text/Plain"] {
            #expect(try request(" Full time\r\n2:1\n", .ticker, type: type) == ticker)
        }
        #expect(try request("\n", .ticker) == CommandRequest(command: "ticker-clear", in: Box.catalogue))
        #expect(refusal("a", .ticker, type: "text/html") == "content type \"text/html\"; expected text/plain")
        let long = String(repeating: "a", count: 2_001)
        #expect(refusal(long, .ticker)?.hasSuffix("expected a text of 1...2000 characters") == true)
        #expect(
            thrown(DataConsumption.Refusal.self) {
                try DataConsumption(allowed: [], in: Box.catalogue).task(
                    for: .ticker, contentType: "", text: nil, octets: [0xFF])
            } == .notText)
    }

    @Test func onlyAllowedCommandsAreExecuted() throws {
        let tune = #"{"command":"tune","arguments":{"channel":"One"}}"#
        #expect(refusal(tune) == #"data.allowedCommands has no "tune""#)
        #expect(refusal(tune, allowing: ["stop"]) == #"data.allowedCommands has no "tune""#)
        #expect(
            try request(tune, type: DataConsumption.cueType, allowing: ["tune"])
                == CommandRequest(command: "tune", arguments: ["channel": "One"], in: Box.catalogue))
        #expect(refusal(tune, type: "application/json", allowing: ["tune"])?.hasPrefix("content type") == true)
    }

    @Test func whatAnAdministratorMayIsNeverExecuted() {
        for command in Box.catalogue.commands where command.role == .administrator {
            #expect(refusal("{\"command\":\"\(command.name)\"}", allowing: [command.name]) != nil, "\(command.name)")
        }
        #expect(refusal(#"{"command":"shutdown"}"#, allowing: ["shutdown"]) == "shutdown needs the role administrator")
    }

    @Test(arguments: [
        "", "x", "[]", "{}", #"{"command":7}"#, #"{"command":"tune"}"#, #"{"command":"tune","id":1}"#,
        #"{"command":"tune","arguments":[]}"#, #"{"command":"tune","command":"stop"}"#, #"{"command":"help"}"#,
        #"{"command":"nothing"}"#,
    ])
    func whatIsNoCommandIsRefused(text: String) {
        #expect(refusal(text, allowing: ["tune", "help", "nothing"]) != nil)
    }

    @Test func noneIsAllowedUnlessSettingsSaySo() {
        #expect(Settings.default.data.allowedCommands.isEmpty && Settings.default.data.consumers.isEmpty)
    }
}
