// SPDX-License-Identifier: Apache-2.0
import Statistics

extension StageCounters {
    /// Of the whole stage; the last two are those of the region `main`.
    public static let statistics: [Statistic<Self>] = [
        .counter("picturesPresented", \.picturesPresented, "pictures", "Pictures that were shown.", .page),
        .counter(
            "fieldsPresented", \.fieldsPresented, "fields",
            "Second fields of interlaced pictures, shown in their own time."),
        .counter(
            "picturesLate", \.picturesLate, "pictures",
            "Pictures that were skipped because a newer one was due as well.", [.fault, .page]),
        .counter(
            "picturesDelayed", \.picturesDelayed, "pictures", "Pictures shown more than 20 ms after they were due.",
            [.fault, .page]),
        .counter("picturesDiscarded", \.picturesDiscarded, "pictures", "Pictures of before a seek, thrown away."),
        .counter(
            "starvations", \.starvations, "starvations", "Times that the pictures of a playing session stayed away.",
            [.fault, .page]),
        .counter("slatesShown", \.slatesShown, "slates", "Slates that were shown."),
        .counter("drawErrors", \.drawErrors, "errors", "Times that drawing failed.", .fault),
        .counter(
            "picturesImported", \.picturesImported, "pictures",
            "Pictures that a GPU drew from the memory that their decoder shares, uncopied."),
        .counter(
            "outputErrors", \.outputErrors, "errors", "Times that the screen did not take what it should have shown.",
            .fault),
        .counter(
            "presentations", \.presentations, "presentations",
            "Times that something was shown: pictures of all regions, text and motion at once are one."),
        .counter(
            "framesMissed", \.framesMissed, "frames",
            "Frames of the display for which a ticker or a cross-fade came too late.", .fault),
        .gauge("presentedPTS", \.presentedPTS, .none, "Presentation time stamp of the picture that is shown, 90 kHz."),
        .gauge(
            "pictureErrorUs", \.pictureErrorUs, .microseconds,
            "By how much the last picture was visible after it was due.", .page),
    ]
}
