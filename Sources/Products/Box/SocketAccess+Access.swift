// SPDX-License-Identifier: Apache-2.0
import Access
import Control
import Venue

extension SocketAccess {
    /// Callers are whom the feature knows.
    init(_ access: Access) {
        self.init()
        groupRole = { access.groupRole }
        needsSession = { access.needsSession($0) }
        caller = { (session) throws(Status) in try access.caller(ofSession: session) }
        open = { (token) throws(Status) in
            let session = try access.logIn(token)
            return Session(text: session.text, caller: session.caller)
        }
        close = { access.gate.close(session: $0) }
        idleSeconds = { access.consoleIdleSeconds }
    }
}
