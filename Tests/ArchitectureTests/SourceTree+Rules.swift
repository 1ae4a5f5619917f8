// SPDX-License-Identifier: Apache-2.0

extension SourceTree {
    /// Everything in the tree that breaks a rule.
    var violations: [Violation] {
        misplacedTargets + forbiddenImports + sharedLibraries + cycles + wrongDependencies + mapErrors + longFiles
            + longPrograms + crowdedTypes + unlicensedFiles
    }

    private var misplacedTargets: [Violation] {
        misplaced.map { Violation(.misplaced, $0, "lies in no layer") }
            + targets.filter { $0.path != "Sources/\($0.layer.rawValue)/\($0.name)" }
            .map { Violation(.misplaced, $0.name, "lies at \($0.path)") }
    }

    /// By the import lines, and by the declarations: an unused one may not point up either.
    private var forbiddenImports: [Violation] {
        targets.flatMap { target in
            target.imports.union(target.dependencies).sorted().compactMap { name -> Violation? in
                if target.layer.forbiddenModules.contains(name) {
                    return Violation(.forbiddenModule, target.name, "\(target.layer.rawValue) imports \(name)")
                }
                guard let other = self.target(named: name), other.name != target.name else { return nil }
                return target.layer.ruleBroken(byImporting: other).map {
                    Violation(
                        $0, target.name, "\(target.layer.rawValue) imports \(name) of \(other.layer.rawValue)")
                }
            }
        }
    }

    private var sharedLibraries: [Violation] {
        targets.filter { $0.layer == .cLibraries }.compactMap { library in
            let importers = targets.filter { $0.imports.contains(library.name) }.map(\.name).sorted()
            guard importers.count != 1 else { return nil }
            return Violation(
                .oneImporter, library.name,
                importers.isEmpty ? "nobody imports it" : "imported by \(importers.joined(separator: ", "))")
        }
    }

    /// Each set of targets that reach one another, once.
    private var cycles: [Violation] {
        let uses = Dictionary(
            targets.map { ($0.name, $0.imports.union($0.dependencies).subtracting([$0.name])) },
            uniquingKeysWith: { first, _ in first })
        let reached = uses.mapValues { first in
            var found: Set<String> = []
            var ahead = first
            while let name = ahead.popFirst() {
                if found.insert(name).inserted { ahead.formUnion(uses[name] ?? []) }
            }
            return found
        }
        let knots = Set(
            reached.filter { $1.contains($0) }.map { name, ahead in
                ahead.filter { reached[$0]?.contains(name) == true }.sorted()
            })
        return knots.map { Violation(.cycle, $0.joined(separator: ", "), "import one another") }
    }

    private var wrongDependencies: [Violation] {
        let names = Set(targets.map(\.name))
        return targets.filter(\.isSwift).flatMap { target in
            let imports = target.imports.intersection(names).subtracting([target.name])
            return imports.subtracting(target.dependencies).sorted()
                .map { Violation(.undeclared, target.name, "imports \($0) without declaring it") }
                + target.dependencies.subtracting(imports).sorted()
                .map { Violation(.unused, target.name, "declares \($0) and does not import it") }
        }
    }

    private var mapErrors: [Violation] {
        let rows = mapRows
        let missing = targets.compactMap { target -> Violation? in
            let layers = rows.filter { $0.name == target.name }.map(\.layer)
            if layers == [target.layer.rawValue] { return nil }
            return Violation(
                .map, target.name,
                layers.isEmpty ? "is not on the map" : "is on the map as of \(layers.joined(separator: ", "))")
        }
        let stale = Set(rows.map(\.name)).subtracting(targets.map(\.name)).sorted()
            .map { Violation(.map, $0, "is on the map but no target") }
        return missing + stale
    }

    /// Layer and target of each row of the table under "## Map of Sources".
    private var mapRows: [(layer: String, name: String)] {
        readme.split(separator: "\n").drop { $0 != "## Map of Sources" }.dropFirst()
            .prefix { !$0.hasPrefix("#") }
            .compactMap { line in
                let cells = line.split(separator: "|").map { $0.split(separator: " ").joined(separator: " ") }
                guard line.hasPrefix("|"), cells.count >= 2, cells[1].hasPrefix("`") else { return nil }
                return (layer: cells[0].filter { $0 != "`" && $0 != "/" }, name: cells[1].filter { $0 != "`" })
            }
    }

    private var allFiles: [SourceFile] { targets.flatMap(\.files) + testFiles }

    private var longFiles: [Violation] {
        allFiles.filter { $0.lineCount > 400 && !$0.excusesLength }
            .map { Violation(.longFile, $0.path, "\($0.lineCount) lines") }
    }

    private var longPrograms: [Violation] {
        targets.filter { $0.layer == .programs }.compactMap { program in
            let lines = program.files.reduce(0) { $0 + $1.lineCount }
            return lines > 60 ? Violation(.longProgram, program.name, "\(lines) lines") : nil
        }
    }

    private var crowdedTypes: [Violation] {
        targets.filter { $0.layer == .products }.flatMap(\.files).flatMap { file in
            file.storedProperties.filter { $0.value > 15 }.sorted { $0.key < $1.key }
                .map { Violation(.crowdedType, file.path, "\($0.key) stores \($0.value) properties") }
        }
    }

    private var unlicensedFiles: [Violation] {
        allFiles.filter { !$0.hasLicence }.map { Violation(.licence, $0.path, "no SPDX line") }
    }
}
