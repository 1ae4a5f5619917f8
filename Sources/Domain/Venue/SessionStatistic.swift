// SPDX-License-Identifier: Apache-2.0

/// The statistics of the reference, under its names (SVM-101…126). They are the whole answer of `stats --session`.
public enum SessionStatistic: String, Sendable, CaseIterable {
    // The session that plays.
    case sessionID = "announcement_session_id"
    case sessionTitle = "announcement_session_title"
    case droppedVideoFrames = "num_dropped_video_frames"
    case tsDiscontinuities = "num_ts_discontinuities"
    case linkIndicator = "session_link_indicator"
    case uptime = "session_uptime"
    case videoOctets = "total_num_bytes_written"

    // Its protection windows: `windowsWithoutLoss` + `windowsRecovered` + `windowsFailed` + `windowErrors` = `windows`.
    case windows = "protection_windows"
    case windowErrors = "window_error"
    case windowsWithoutLoss = "window_no_loss"
    case windowsFailed = "window_recovery_failures"
    case windowsRecovered = "window_recovery_successes"
    case windowWarnings = "window_warning"

    // The line-up, whichever session plays.
    case announcementsMalformed
    case announcementsNotAllowed
    case announcementsReceived
    case channelsAdded
    case channelsPruned
    case invalidJsonAnnouncements
    case licenseMismatchAnnouncements
    case listenerIgmpRestarts
    case versionMismatchAnnouncements

    // The reporter.
    case statsUploadAttempts
    case statsUploadFailures
    case statsUploadSuccesses
}
