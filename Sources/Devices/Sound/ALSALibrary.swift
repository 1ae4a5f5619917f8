// SPDX-License-Identifier: Apache-2.0
internal import CLibALSA
import Glibc
import System

/// Silences libasound's messages to standard error; failures are thrown instead.
func silenceLibrary() { silenced }

private let silenced: Void = tl_alsa_silence()

func check(_ what: String, _ device: String, _ code: CInt) throws(SoundError) {
    guard code < 0 else { return }
    if code == -EINVAL { throw .unsupported(device: device, what: what) }
    throw .lost(SystemCallError("\(what) \(device)", Errno(alsa: code)))
}

extension Errno {
    static let timedOut = Errno(rawValue: ETIMEDOUT)
    static let brokenPipe = Errno(rawValue: EPIPE)

    /// libasound returns error numbers negated.
    init(alsa code: CInt) { self.init(rawValue: 0 &- code) }
}
