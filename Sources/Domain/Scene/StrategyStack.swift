// SPDX-License-Identifier: Apache-2.0

/// The active strategies. Each places everything that those below it have made, so that the topmost decides (PLAY-33).
public struct StrategyStack: Hashable, Sendable {
    /// Bottom first: by layer, and within a layer by the time of activation.
    public private(set) var strategies: [LayoutStrategy] = []

    public init() {}

    /// - Returns: false if a strategy of this name is active; that one stays as it is (PLAY-35).
    @discardableResult public mutating func putOn(_ strategy: LayoutStrategy) -> Bool {
        guard !isOn(strategy.name) else { return false }
        let place = strategies.firstIndex { $0.layer > strategy.layer } ?? strategies.endIndex
        strategies.insert(strategy, at: place)
        return true
    }

    /// - Returns: false if no strategy of this name was active. The layout is again as it was without it.
    @discardableResult public mutating func takeOff(_ name: String) -> Bool {
        guard let index = strategies.firstIndex(where: { $0.name == name }) else { return false }
        strategies.remove(at: index)
        return true
    }

    public func isOn(_ name: String) -> Bool { strategies.contains { $0.name == name } }

    /// The strategy that has this region; nil if it belongs to the layout.
    public func owner(of region: String) -> LayoutStrategy? {
        strategies.first { strategy in strategy.regions.contains { $0.name == region } }
    }

    /// The layout with all strategies applied; without strategies the layout itself (PLAY-34). The caller must check
    /// its `problem` before it is shown.
    public func compose(_ layout: StageLayout) -> StageLayout {
        strategies.reduce(layout) { $1.compose($0) }
    }
}
