// SPDX-License-Identifier: Apache-2.0
import Commands
import CompanionScreens
import Discovery
import Hosting
import Shapes
import Venue

struct ListTelevisions: Command {
    static let about = About(
        "sync-find", "List the televisions that were found on the link",
        help: "They are searched for while the setting `sync.discovery.searches` is true.")
    static let shape = Shape<Self>([])

    func run(on sync: Sync) throws(Status) -> TelevisionList {
        guard let rows = sync.found else {
            throw .failure(.failed, "no televisions are searched for: the setting sync.discovery.searches is false")
        }
        return TelevisionList(televisions: rows)
    }
}

struct TelevisionList: Answer {
    let televisions: [TelevisionRow]

    static let shape = Shape<Self>([
        .value("televisions", \.televisions, .list(of: .row), "in the order in which one of them is followed")
    ])
}

/// A television on the link.
struct TelevisionRow: Answer {
    let name: String
    let address: String
    let url: String
    let isFollowed: Bool
    let uniqueName: String

    init(_ television: Television, isFollowed: Bool) {
        name = television.name
        address = "\(television.address)"
        url = television.services.contentInformation?.description ?? ""
        self.isFollowed = isFollowed
        uniqueName = television.uniqueName
    }

    static let shape = Shape<Self>([
        .value("name", \.name, .text, "as people know it"),
        .value("address", \.address, .text, "from which it speaks"),
        .value("url", \.url, .text, "of its CSS-CII service"),
        .value("isFollowed", \.isFollowed, .boolean, "whether the box follows it"),
        .value("uniqueName", \.uniqueName, .text, "which stays the same: USN of SSDP"),
    ])
}

/// The event that a television on the link is there or gone.
struct TelevisionOnLink: FeatureEvent {
    enum What: String, Sendable, CaseIterable { case found, lost }

    let what: What
    let name: String
    let url: String?
    let uniqueName: String

    init(_ event: TelevisionFinder.Event) {
        switch event {
        case .found(let television): self.init(.found, television)
        case .lost(let television): self.init(.lost, television)
        }
    }

    private init(_ what: What, _ television: Television) {
        self.what = what
        name = television.name
        url = television.services.contentInformation?.description
        uniqueName = television.uniqueName
    }

    static let about = EventAbout(.sync, "discovery", "A television was found on the link, or is not there any more.")
    static let shape = Shape<Self>([
        .value("what", \.what, .choice, "found: it is there, or has other services than before; lost: it is gone"),
        .value("name", \.name, .text, "as people know it"),
        .value("url", \.url, .optional(.text), "of its CSS-CII service; null if it does not synchronise"),
        .value("uniqueName", \.uniqueName, .text, "which stays the same: USN of SSDP"),
    ])
}
