import SearchModel

/// The pictures of what is in view, in the order in which they are looked at; pure.
enum WantedPictures {
    static func keys(of model: LiveModel) -> [PictureKey] {
        guard model.pictures.isOn, model.overlay == nil, !model.pane.list.isStale else { return [] }
        let layout = model.layout
        let list = model.pane.list
        var keys: [PictureKey] = []
        if let area = layout.detailsPicture, let address = model.details.picture {
            keys.append(PictureKey(address: address, box: area.box))
        }
        if let grid = layout.grid {
            let shown = list.items.dropFirst(list.top).prefix(grid.count)
            keys += shown.compactMap { HitPicture.address(of: $0.hit) }.map { PictureKey(address: $0, box: grid.box) }
        } else if let box = layout.thumbnail {
            let shown = list.visible(rows: layout.list.rows, itemRows: layout.itemRows).map { list.items[$0.index] }
            keys += shown.compactMap { HitPicture.thumbnail(of: $0.hit) }.map { PictureKey(address: $0, box: box) }
        }
        return keys
    }
}
