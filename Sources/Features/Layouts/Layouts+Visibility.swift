// SPDX-License-Identifier: Apache-2.0
import Playback
import Scene
import Settings

/// What people can see of the stage (SVM-74, 76), and what is decoded for them (SVM-04).
extension Layouts {
    /// To be called with each report of life of the stage, about once a second. A change of the screen's mode darkens it
    /// for less time than that, so that the stage is inactive only after two reports.
    public func stageReported(isActive: Bool) {
        defer { wasActive = isActive }
        guard isActive != isStageActive, isActive || !wasActive else { return }
        isStageActive = isActive
        context.emit(StageActivity(isActive: isActive, isStandby: isStandby))
        applyVisibility(of: stageShown)
    }

    /// Whether pictures are not decoded because nobody could see them. Sessions stay joined and go on buffering, so that
    /// the picture is there soon after the television is on.
    private var isStandby: Bool { !isStageActive && settings.output.standby == .suspend }

    /// Tells each region whether it is decoded and whether people can see it.
    func applyVisibility(of stage: StageLayout) {
        let visible = isStageActive ? stage.visibleNames : []
        for region in regions.all {
            region.isInSight = stage.regions.contains { $0.name == region.name }
            region.isUncovered = visible.contains(region.name)
            region.isAwake = !isStandby
            regions.applyVisibility(of: region)
        }
    }
}
