// SPDX-License-Identifier: Apache-2.0
import Commands
import Control
import Credentials
import HTTP
import Signing
import System
import Time

extension HTTPAccess {
    /// Callers are whom the gate knows.
    init(_ gate: Gate) {
        self.init(
            caller: { request, origin in
                gate.caller(
                    Self.proof(request), from: request.peer.address, isLoopback: request.peer.isLoopback, by: origin,
                    at: SystemClock.monotonic(), wall: Self.wall
                ).mapError { Self.denial($0) }
            },
            stays: { request in
                gate.stays(
                    Self.proof(request), isLoopback: request.peer.isLoopback, at: SystemClock.monotonic(),
                    wall: Self.wall)
            },
            open: { token, request in
                // The kernel has none only just after power-on.
                guard let chance = try? SystemRandom.bytes(SecretText.tokenOctets) else {
                    return .failure(.wait(seconds: 1))
                }
                return gate.open(
                    token, from: request.peer.address, chance: chance, at: SystemClock.monotonic(), wall: Self.wall
                ).map { Session(text: $0.text, caller: $0.caller, seconds: Int(clamping: $0.span.seconds)) }
                    .mapError { Self.denial($0) }
            },
            close: { request in
                if case .session(let text) = Self.proof(request) { gate.close(session: text) }
            },
            claim: {
                if gate.credentials.claim != nil { return "claimed" }
                return gate.window(at: SystemClock.monotonic()) == nil ? "closed" : "open"
            }, hidesScreen: { gate.hidesScreen(at: SystemClock.monotonic()) }, note: { gate.note($0) })
    }

    private static var wall: WallTime { max(SystemClock.wall(), ProgramFile.built) }

    private static func proof(_ request: HTTPRequest) -> Gate.Proof {
        switch request.credentials(cookieName: cookieName) {
        case nil: .nothing
        case .token(let text)?: .token(text)
        case .session(let text)?: .session(text)
        case .unreadable?: .unreadable
        }
    }

    private static func denial(_ denial: Gate.Denial) -> Denial {
        switch denial {
        case .unknown: .unknown
        case .wait(let span): .wait(seconds: max(1, Int(clamping: (span.count + 999_999_999) / 1_000_000_000)))
        }
    }
}
