// SPDX-License-Identifier: Apache-2.0
import Testing
import Venue

struct SessionStatisticTests {
    /// SVM-101…126: letter for letter.
    @Test func names() {
        #expect(
            SessionStatistic.allCases.map(\.rawValue).sorted() == [
                "announcement_session_id", "announcement_session_title", "announcementsMalformed",
                "announcementsNotAllowed", "announcementsReceived", "channelsAdded", "channelsPruned",
                "invalidJsonAnnouncements", "licenseMismatchAnnouncements", "listenerIgmpRestarts",
                "num_dropped_video_frames", "num_ts_discontinuities", "protection_windows", "session_link_indicator",
                "session_uptime", "statsUploadAttempts", "statsUploadFailures", "statsUploadSuccesses",
                "total_num_bytes_written", "versionMismatchAnnouncements", "window_error", "window_no_loss",
                "window_recovery_failures", "window_recovery_successes", "window_warning",
            ])
    }
}
