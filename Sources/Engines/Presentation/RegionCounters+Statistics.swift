// SPDX-License-Identifier: Apache-2.0
import Statistics

extension RegionCounters {
    /// As those of the stage, of one region.
    public static let statistics: [Statistic<Self>] = [
        .counter("picturesPresented", \.picturesPresented, "pictures", "Pictures that were shown."),
        .counter(
            "fieldsPresented", \.fieldsPresented, "fields",
            "Second fields of interlaced pictures, shown in their own time."),
        .counter(
            "picturesLate", \.picturesLate, "pictures",
            "Pictures that were skipped because a newer one was due as well.", .fault),
        .counter(
            "picturesDelayed", \.picturesDelayed, "pictures", "Pictures shown more than 20 ms after they were due.",
            .fault),
        .counter("picturesDiscarded", \.picturesDiscarded, "pictures", "Pictures of before a seek, thrown away."),
        .counter(
            "starvations", \.starvations, "starvations", "Times that the pictures of a playing session stayed away.",
            .fault),
        .gauge("presentedPTS", \.presentedPTS, .none, "Presentation time stamp of the picture that is shown, 90 kHz."),
        .gauge(
            "pictureErrorUs", \.pictureErrorUs, .microseconds,
            "By how much the last picture was visible after it was due."),
    ]
}
