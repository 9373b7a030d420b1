/// Where the fields of a hit come from.
struct HitShape: Sendable {
    /// What makes up the id.
    let key: FieldRule?
    let title: FieldRule
    let snippet: FieldRule?
    let url: FieldRule?
    let author: FieldRule?
    let published: FieldRule?
    let thumbnail: FieldRule?
    /// In the order they are shown.
    let extra: [(name: String, rule: FieldRule)]
}
