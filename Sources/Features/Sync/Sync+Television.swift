// SPDX-License-Identifier: Apache-2.0
import CompanionScreens
import Synchronisation

/// What is told of the television that is followed.
extension Sync {
    func handle(_ event: CompanionEvent) {
        log(.debug, "television", ["event": "\(event)"])
        switch event {
        case .timelineAvailable, .timelineChanged:
            remember()
            follow()
        case .timelineUnavailable(let phase):
            // The leader is there, and says that it has no timeline.
            if phase == .timelineUnavailable { held = nil }
            follow()
        case .informationChanged(let information, let changed):
            follow()
            tell(.information, information, changed.map(\.rawValue).sorted())
        case .televisionFound: tell(.found, link?.information)
        case .televisionGone: tell(.gone, nil)
        case .refused(let service, let status):
            log(.notice, "the television refuses", ["service": service.rawValue, "status": status])
            tell(.refused, link?.information, ["\(service.rawValue) \(status)"])
        case .versionRefused(let version):
            log(.notice, "the television speaks another version", ["version": version])
            tell(.versionRefused, nil, [version])
        case .serverSilent(let service): tell(.silent, link?.information, [service.rawValue])
        case .informationMalformed(let error):
            log(.notice, "the television's message cannot be read", ["error": error])
            tell(.malformed, nil, ["\(error)"])
        }
    }

    func tell(_ what: TelevisionChanged.What, _ information: ContentInformation?, _ details: [String] = []) {
        context.emit(
            TelevisionChanged(
                what: what, contentId: information?.contentID,
                presentationStatus: information?.presentationStatus?.text, details: details))
    }
}
