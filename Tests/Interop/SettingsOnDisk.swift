// SPDX-License-Identifier: Apache-2.0

/// What a service has to know of its settings after it was killed. Each document of settings is known by a number.
struct SettingsOnDisk {
    enum Request {
        /// Puts a document in force.
        case change(to: Int, hasToProve: Bool)
        /// Confirms the document in force.
        case confirm
        /// Returns to the confirmed document.
        case takeBack
    }

    /// The document that was confirmed last. A service that starts has this one in force.
    private(set) var confirmed: Int
    /// The document in force if it has not proved itself yet; nil if it is the confirmed one.
    private(set) var unconfirmed: Int?

    /// - Parameter confirmed: the document with which the service has started.
    init(confirmed: Int) { self.confirmed = confirmed }

    /// The same after the service has done what it was asked.
    func after(_ request: Request) -> SettingsOnDisk {
        var next = self
        switch request {
        case .change(let document, let hasToProve):
            // What changes while another change is unconfirmed is unconfirmed with it.
            if hasToProve || unconfirmed != nil { next.unconfirmed = document } else { next.confirmed = document }
        case .confirm:
            next.confirmed = unconfirmed ?? confirmed
            next.unconfirmed = nil
        case .takeBack: next.unconfirmed = nil
        }
        return next
    }

    /// The documents with one of which the service starts, if it was killed before it answered this request.
    func documents(killedDuring request: Request) -> Set<Int> { [confirmed, after(request).confirmed] }
}
