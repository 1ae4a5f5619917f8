// SPDX-License-Identifier: Apache-2.0
import CompanionScreens

/// What a `CompanionSession` tells its owner of the television.
public enum CompanionEvent: Equatable, Sendable {
    /// The first connection is established.
    case televisionFound
    /// No connection is left. Nothing is known of the television any more.
    case televisionGone
    /// What the television presents is another, with the properties that changed (CSS-33).
    case informationChanged(ContentInformation, Set<CIIMessage.Name>)
    /// The timeline can be followed (CSS-22).
    case timelineAvailable(FollowedTimeline)
    /// It is elsewhere, or goes faster, slower or not at all.
    case timelineChanged(FollowedTimeline)
    /// It cannot be followed (CSS-23), with what is waited for now.
    case timelineUnavailable(CompanionPhase)
    /// The server refused a connection with an HTTP status: 403 disabled, 404 not there, 503 full.
    case refused(CompanionConnection.Service, status: Int)
    /// The television speaks another version of CSS-CII than 1.1 (CSS-26).
    case versionRefused(String)
    /// The server accepted a connection and said nothing, or did not accept it in time.
    case serverSilent(CompanionConnection.Service)
    /// A message of CSS-CII could not be read. The connection is made anew, since what it changed is not known.
    case informationMalformed(CompanionMessageError)
}
