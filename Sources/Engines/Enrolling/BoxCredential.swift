// SPDX-License-Identifier: Apache-2.0
import Buffers

/// The credential that the box's reporter has given it, for whatever else asks that reporter for something.
public final class BoxCredential: Sendable {
    private struct Given {
        /// Where the reporter's paths begin: `https://reporter.example`.
        let reporter: String
        let credential: String
    }

    private let given = PublishedValue<Given?>(nil)

    public init() {}

    /// - Parameter credential: nil if the box has none.
    /// - Thread: always the same one.
    public func publish(_ credential: String?, of reporter: String?) {
        guard let credential, let reporter else { return given.set(nil) }
        given.set(Given(reporter: reporter, credential: credential))
    }

    /// What is shown with a request: the credential goes to the reporter that gave it, and to nobody else.
    /// - Returns: nil if the URL is another server's, or there is no credential.
    /// - Thread: any.
    public func bearer(for url: String) -> String? {
        guard let given = given.value, url.hasPrefix(given.reporter + "/v1/") else { return nil }
        return given.credential
    }
}
