// SPDX-License-Identifier: Apache-2.0
import Commands
import Shapes
import Venue

/// Why a change of settings was not made. All settings are as before.
public enum SettingsFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The document has these problems.
    case invalid([Problem])
    /// No setting has this path.
    case unknownPath(Problem)
    /// A feature refused the change when it prepared it.
    case refused(section: String, Status)
    /// Only the local control socket may change this setting.
    case localOnly(path: String, Origin)
    /// Another revision is in force than the one that the author has seen: somebody else has made a change.
    case conflict(base: Int, inForce: SettingsRevision)
    /// There is no revision of this number any more.
    case unknownRevision(Int, known: [Int])
    /// Nothing waits to be confirmed or taken back.
    case nothingPending
    /// The document could not be written or published.
    case notWritten(Status)
    /// A feature failed to commit the change. The features before it have undone theirs.
    case rolledBack(section: String, Status)

    public var status: Status {
        switch self {
        case .invalid(let problems): .failure(.configuration, problems.map(\.description).joined(separator: "; "))
        case .unknownPath(let problem): .failure(.failed, problem.description)
        case .refused(let section, let status): .failure(status.code, "\(section): \(status.errorString)")
        case .localOnly(let path, let origin):
            .failure(.failed, "\(path) is changed by the local control socket only; this is \(origin.rawValue)")
        case .conflict(let base, let inForce):
            .failure(
                .failed,
                """
                revision \(inForce.number) by \(inForce.author) is in force, and the change was made for revision \(base); \
                read the settings again
                """)
        case .unknownRevision(let number, let known):
            .failure(
                .failed,
                "revision \(number) is not kept; expected one of \(known.map(String.init).joined(separator: ", "))")
        case .nothingPending: .failure(.failed, "every change of the settings is confirmed")
        case .notWritten(let status): .failure(status.code, "the settings were not written: \(status.errorString)")
        case .rolledBack(let section, let status):
            .failure(status.code, "\(section): \(status.errorString); everything is as before")
        }
    }

    public var description: String { status.errorString }
}
