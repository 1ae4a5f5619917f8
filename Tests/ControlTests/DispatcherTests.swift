// SPDX-License-Identifier: Apache-2.0
import Commands
import Control
import JSON
import System
import TestSupport
import Testing
import Venue

/// The one check of what comes from outside, whichever way.
struct DispatcherTests {
    private func refusal(
        _ command: String, _ arguments: JSONValue = [:], of role: Role = .administrator
    ) throws -> Status? {
        let box = StandInBox(loop: try EventLoop())
        let dispatcher = Dispatcher(handler: box)
        return thrown(Status.self) { try dispatcher.request(command, arguments, of: Caller(.http, role: role)) }
    }

    @Test func argumentsAreAsDescribed() throws {
        #expect(try refusal("tune", ["channel": "One"]) == nil)
        #expect(
            try refusal("tune")?.errorString == "tune: channel is missing; expected a text of 1...128 characters")
        #expect(try refusal("tune", ["channel": "a", "b": 1])?.errorString == "unexpected argument 'b' of tune")
        #expect(
            try refusal("tunee", ["channel": "a"])?.errorString == "unknown command 'tunee'; expected 'tune'?")
        // Commands of the client are none of the service.
        #expect(try refusal("help")?.code == .usage)
    }

    @Test func aRoleMayWhatThoseBeforeItMay() throws {
        for (command, arguments, needed) in [
            ("status", [:], Role.viewer), ("tune", ["channel": "One"], .operator), ("shutdown", [:], .administrator),
        ] as [(String, JSONValue, Role)] {
            for role in Role.allCases {
                let refusal = try refusal(command, arguments, of: role)
                #expect((refusal == nil) == (role >= needed), "\(command) as \(role.rawValue)")
            }
        }
        #expect(
            try refusal("shutdown", of: .operator)?.errorString
                == "shutdown needs the role administrator; this is operator")
    }
}
