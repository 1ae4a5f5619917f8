// SPDX-License-Identifier: Apache-2.0
import System
import Venue

extension UnixListenerError {
    /// The status whose exit code the service ends with if it cannot listen: 75 if another process listens already
    /// (SVM-01).
    public var status: Status {
        switch self {
        case .busy: .failure(.busy, description)
        case .pathTooLong, .notASocket: .failure(.configuration, description)
        case .system: .failure(.failed, description)
        }
    }
}
