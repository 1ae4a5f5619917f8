// SPDX-License-Identifier: Apache-2.0
import Commands
import Scene
import Settings
import Shapes
import Venue

struct ChangeViewport: Command {
    var x: Int?
    var y: Int?
    var width: Int?
    var height: Int?
    var pan: PanDirection?
    var region: String?
    var transition: TransitionKind?
    var durationMs: Int64?

    static let about = About(
        "viewport", "Show which part of the layout is seen, or another one",
        help: """
            The stage shows that part all over it, in ten-thousandths of the layout; what is out of sight waits. What
            is not given stays. Until another layout is chosen.
            """,
        role: .operator, example: "")
    static let shape = Shape<Self>([
        .part("x", \.x, 0...9_999, "Left edge."), .part("y", \.y, 0...9_999, "Upper edge."),
        .part("width", \.width, 1...10_000, "Width: 10000 is all of it."),
        .part("height", \.height, 1...10_000, "Height: 10000 is all of it."),
        .option("pan", \.pan, .absentOr(.choice), "On by as much as is seen, up to the layout's edge."),
        .option(
            "region", \.region, .absentOr(.text(1...32)), names: "regions",
            "What this region of the layout has, and no more."),
        .transition(\.transition), .duration(\.durationMs),
    ])

    /// Changes the part of the layout that is shown (MEET-46: a viewport shows a part of a gallery).
    /// - Returns: the viewport as it is now.
    /// - Throws: a failure that names field, value and expectation. Nothing has changed then.
    func run(on layouts: Layouts) throws(Status) -> AreaAnswer {
        var layout = layouts.layout.shown
        let old = layout.stage.viewport
        var new = old
        if let region {
            _ = try layouts.regions.addressed(region: region)
            guard let found = layout.stage.regions.first(where: { $0.name == region }) else {
                let known = layout.stage.regions.map(\.name).joined(separator: ", ")
                throw .failure(.failed, "region '\(region)' is not of the layout: expected one of \(known)")
            }
            new = found.area
        }
        new.x = x ?? new.x
        new.y = y ?? new.y
        new.width = width ?? new.width
        new.height = height ?? new.height
        if let problem = new.problems.first {
            throw .failure(.failed, "\(problem.field) is \(problem.value); expected \(problem.expectation)")
        }
        if let pan { new = new.panned(pan) }
        guard new != old else { return AreaAnswer(area: old) }
        layout.stage.viewport = new
        layouts.put(layout, isChanged: true, layouts.transition(transition, durationMs, else: .cut))
        return AreaAnswer(area: new)
    }
}
