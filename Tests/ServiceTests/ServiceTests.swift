// SPDX-License-Identifier: Apache-2.0
import Commands
import FeatureTesting
import Hosting
import JSON
import Testing
import Venue

@testable import Service

@Suite struct ServiceTests {
    private final class Ended {
        var count = 0
    }

    @Test func versionAndEnd() throws {
        let ended = Ended()
        var context = try FeatureContext.testing()
        context.provide(Service.Ending { ended.count += 1 })
        let host = try FeatureHost([Service.self], context)
        var answers: [Result<JSONValue, Status>] = []
        #expect(host.handle(try CommandRequest(CommandDescription(ShowVersion.self))) { answers.append($0) })
        #expect(ended.count == 0)
        #expect(host.handle(try CommandRequest(CommandDescription(ShutDown.self))) { answers.append($0) })
        let version: JSONValue = ["version": .string(Build.version), "build": .string(Build.id)]
        #expect(answers == [.success(version), .success([:])] && ended.count == 1)
        #expect(Version.kind.accepts(version))
        #expect(CommandDescription(ShutDown.self).role == .administrator)
    }
}
