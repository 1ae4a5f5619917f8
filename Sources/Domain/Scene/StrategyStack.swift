// SPDX-License-Identifier: Apache-2.0

/// The strategies that are on. The highest has the last word: it places all that those below it have made (PLAY-33).
public struct StrategyStack: Hashable, Sendable {
    /// Lowest first: by layer, and of one layer by when they were put on.
    public private(set) var strategies: [LayoutStrategy] = []

    public init() {}

    /// - Returns: whether it is new; one of that name is taken as it was when it was put on (PLAY-35).
    @discardableResult public mutating func putOn(_ strategy: LayoutStrategy) -> Bool {
        guard !isOn(strategy.name) else { return false }
        let place = strategies.firstIndex { $0.layer > strategy.layer } ?? strategies.endIndex
        strategies.insert(strategy, at: place)
        return true
    }

    /// - Returns: whether it was there. What is below it is again as it was without it.
    @discardableResult public mutating func takeOff(_ name: String) -> Bool {
        guard let index = strategies.firstIndex(where: { $0.name == name }) else { return false }
        strategies.remove(at: index)
        return true
    }

    public func isOn(_ name: String) -> Bool { strategies.contains { $0.name == name } }

    /// The one that a region belongs to; nil: the layout's.
    public func owner(of region: String) -> LayoutStrategy? {
        strategies.first { strategy in strategy.regions.contains { $0.name == region } }
    }

    /// Of nothing the layout itself (PLAY-34). Whoever shows it asks it for its `problem`.
    public func compose(_ layout: StageLayout) -> StageLayout {
        strategies.reduce(layout) { $1.compose($0) }
    }
}
