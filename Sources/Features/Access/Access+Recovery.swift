// SPDX-License-Identifier: Apache-2.0
import Commands
import Credentials
import Journal
import Presentation
import Signing
import System
import Time
import Venue

/// A way in for a technician when all tokens are lost. The technician types `lost` at the console's prompt for a token, and
/// the screen shows a code. When the code is typed at the prompt, the box forgets all tokens. This needs the serial cable and
/// the sight of the screen.
extension Access {
    static let recoveryWord = "lost"

    /// - Parameter text: what was typed at the console in place of a token.
    /// - Returns: what whoever is there is told; nil if the text is to be taken for a token.
    func recovery(_ text: String) -> Status? {
        guard isRecoverable else { return nil }
        let now = sources.monotonic()
        if text == Self.recoveryWord { return showRecovery(at: now) }
        guard gate.recovery(at: now)?.isOpen(at: now) == true, SecretText.readCode(text) != nil else { return nil }
        do {
            try gate.check(recoveryCode: text, at: now)
        } catch {
            noteRecovery(.refused("\(error)"))
            guard case .wrongCode(let left) = error, left > 0 else {
                return .failure(.failed, "that was the last wrong code; there is no other one for some minutes")
            }
            return .failure(.failed, "\(error)")
        }
        noteRecovery(.done(revision: nil))
        forgetAll { [self] problem in
            if let problem { log(.error, "the tokens are not forgotten", ["why": problem.errorString]) }
        }
        return .failure(.busy, "the tokens of this box are being forgotten; press Enter")
    }

    private func showRecovery(at now: Monotonic) -> Status {
        let window: ClaimWindow
        do {
            window = try gate.recovery(at: now) ?? newWindow(at: now)
        } catch {
            return .failure(.failed, "\(error)")
        }
        guard window.isOpen(at: now) else {
            let seconds = (window.end - now).seconds + 1
            return .failure(.busy, "too many wrong codes; there is no other one for \(seconds) s")
        }
        noteRecovery(.done(revision: nil))
        log(.warning, "a code for who has lost the tokens is on the screen")
        guard showAbovePicture(["Lost tokens: type the code \(window.code) at the console"]) else {
            return .failure(.failed, "the screen does not take the code")
        }
        return .failure(
            .failed, "the screen shows a code for a minute; typed here it has the box forget all of its tokens")
    }

    private func newWindow(at now: Monotonic) throws(SystemCallError) -> ClaimWindow {
        let window = ClaimWindow(chance: try sources.chance(SecretText.codeOctets), until: now + ClaimWindow.span)
        gate.openRecovery(window)
        return window
    }

    private func noteRecovery(_ outcome: Act.Outcome) {
        note(Act(Caller(.console, role: nil), "access-recovery", outcome))
    }
}
