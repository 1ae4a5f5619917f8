// SPDX-License-Identifier: Apache-2.0
import Testing
import Time

@testable import Web

struct WebSocketServiceTests {
    /// A deadline may be due before the library waits. It waited for the next thing of its own, up to 30 s away, and a
    /// server that lived was taken for dead.
    @Test func noDeadlineIsMissed() throws {
        let service = try WebSocketService(exchange: .init(wake: {}), limits: .init())
        let context = try #require(service.context)
        let began = ContinuousClock.now
        for _ in 0..<3 {
            service.wake(in: .zero)
            #expect(context.turn())
        }
        #expect(ContinuousClock.now - began < .seconds(20))
    }
}
