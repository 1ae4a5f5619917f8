// SPDX-License-Identifier: Apache-2.0
import ControlMessages
import JSON
import TestSupport
import Testing

/// Lines of the control socket, both ways.
@Suite struct ControlRequestTests {
    @Test func readsWhatItWrites() throws {
        let request = ControlRequest(id: 7, command: "tune", arguments: ["channel": "One"])
        #expect(try ControlRequest(parsing: request.octets.dropLast()) == request)
        #expect(try ControlRequest(parsing: Array(#"{"id":0,"command":"stop"}"#.utf8)).arguments == [:])
    }

    @Test(
        arguments: [
            ("{", nil, "not JSON"), ("[]", nil, "the request is an array; expected an object"),
            (#"{"command":"stop"}"#, nil, "id: expected an integer from 0"),
            (#"{"id":-1,"command":"stop"}"#, nil, "id: expected an integer from 0"),
            (#"{"id":3}"#, 3, "command: expected a string"),
            (
                #"{"id":3,"command":"stop","args":{}}"#, 3,
                "unknown member 'args'; expected one of id, command, arguments"
            ),
        ] as [(String, Int64?, String)])
    func refuses(line: String, id: Int64?, why: String) {
        let refusal = thrown(ControlRequest.Refusal.self) { try ControlRequest(parsing: Array(line.utf8)) }
        #expect(refusal?.id == id)
        #expect(refusal?.status.errorString.hasPrefix(why) == true, "\(String(describing: refusal))")
    }

    @Test func everyTruncationIsRefused() {
        let octets = ControlRequest(id: 7, command: "tune", arguments: ["channel": "One"]).octets.dropLast()
        for count in 0..<octets.count {
            #expect(throws: ControlRequest.Refusal.self) { try ControlRequest(parsing: Array(octets.prefix(count))) }
        }
    }

    @Test func damagedRepliesAreReadOrRefused() {
        var random = SplitMix64(seed: 5)
        let whole = ControlReply.answer(.ok, result: ["a": [1, "b"]]).octets(id: 1)
        for _ in 0..<5_000 {
            var octets = whole
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                octets[Int.random(in: octets.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if let reply = ControlReply(parsing: octets, limits: JSONLimits()) {
                #expect(!reply.octets(id: 1).isEmpty)
            }
        }
    }
}
