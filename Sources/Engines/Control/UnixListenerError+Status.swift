// SPDX-License-Identifier: Apache-2.0
import System
import Venue

extension UnixListenerError {
    /// With the exit code of a service that cannot listen (SVM-01: 75 when another one does).
    public var status: Status {
        switch self {
        case .busy: .failure(.busy, description)
        case .pathTooLong, .notASocket: .failure(.configuration, description)
        case .system: .failure(.failed, description)
        }
    }
}
