// SPDX-License-Identifier: Apache-2.0

/// The layouts that every box has. Each has a region "main".
extension StageLayout {
    public static let fullScreen = StageLayout(name: "full-screen", regions: [Region(name: "main")])

    /// A small picture in the lower right corner of a large one.
    public static let pictureInPicture = StageLayout(
        name: "picture-in-picture",
        regions: [
            Region(name: "main"),
            Region(name: "inset", area: SceneArea(x: 6_700, y: 6_700, width: 3_000, height: 3_000), order: 1),
        ])

    public static let quad = StageLayout(
        name: "quad",
        regions: ["main", "second", "third", "fourth"].enumerated().map { index, name in
            Region(
                name: name,
                area: SceneArea(x: index % 2 * 5_000, y: index / 2 * 5_000, width: 5_000, height: 5_000))
        })

    public static let builtIn: [StageLayout] = [fullScreen, pictureInPicture, quad]

    /// A grid of equal tiles, in which pictures of the tile's shape become as large as possible. Among equal grids the
    /// one with the fewest empty places is taken, then the wider one. An incomplete last row is centred (MEET-46).
    /// - Parameters:
    ///   - count: 1...64; other values are clamped.
    ///   - names: names of the regions; a tile without a name is called "tile" followed by its number from 1.
    ///   - tile: the shape of a tile as a width and a height.
    ///   - gap: the space between two tiles in ten-thousandths of the stage's edges, 0...100.
    public static func gallery(
        count: Int, names: [String] = [], stage: PixelSize, tile: PixelSize = PixelSize(width: 16, height: 9),
        gap: Int = 0
    ) -> StageLayout {
        let count = max(1, min(regionLimit, count))
        let half = max(0, min(100, gap)) / 2
        let columns = columns(of: count, stage: stage, tile: tile)
        let rows = (count + columns - 1) / columns
        let regions = (0..<count).map { index -> Region in
            let (row, column) = index.quotientAndRemainder(dividingBy: columns)
            // An incomplete last row is shifted by half a tile for each empty place.
            let empty = row == rows - 1 ? rows * columns - count : 0
            let left = SceneArea.parts * (2 * column + empty) / (2 * columns)
            let right = SceneArea.parts * (2 * column + 2 + empty) / (2 * columns)
            let (top, bottom) = (SceneArea.parts * row / rows, SceneArea.parts * (row + 1) / rows)
            return Region(
                name: index < names.count ? names[index] : "tile\(index + 1)",
                area: SceneArea(
                    x: left + half, y: top + half, width: right - left - 2 * half, height: bottom - top - 2 * half))
        }
        return StageLayout(name: "gallery-\(count)", regions: regions)
    }

    private static func columns(of count: Int, stage: PixelSize, tile: PixelSize) -> Int {
        let (width, height) = (max(1, stage.width), max(1, stage.height))
        let shape = (width: max(1, tile.width), height: max(1, tile.height))
        var best = (columns: 1, size: 0, empty: 0)
        for columns in 1...count {
            let rows = (count + columns - 1) / columns
            let size = min(width * shape.height / columns, height * shape.width / rows)
            let empty = rows * columns - count
            if size > best.size || size == best.size && empty <= best.empty { best = (columns, size, empty) }
        }
        return best.columns
    }
}
