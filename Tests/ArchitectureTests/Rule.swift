// SPDX-License-Identifier: Apache-2.0

/// What the architecture test holds the tree to; the design's "Layers" and the style's "Modules" and "Files".
enum Rule: String, CaseIterable {
    case misplaced = "a target's folder is Sources/<layer>/<name>"
    case upward = "imports point down"
    case sideways =
        "no import from the same height: features, engines, Wire and Media stand alone, devices know System only"
    case reachesPast = "Domain sees JSON and Time of Base; C libraries are seen by Base, Wire and Devices"
    case forbiddenModule = "no Foundation; no Glibc but in Base, Devices and Programs"
    /// SVM-133.
    case oneImporter = "a C library is imported by exactly one target"
    case cycle = "no cycles"
    /// SVM-132.
    case undeclared = "what is imported is declared in Package.swift"
    case unused = "what is declared in Package.swift is imported"
    case map = "README.md's map of Sources names each target once, in its layer, and nothing else"
    case longFile = "a file above 400 lines says `// long because:`"
    case longProgram = "a program has at most 60 lines"
    case crowdedType = "a type of Products stores at most 15 properties"
    case licence = "an SPDX line in the first two"
}
