/// The SIEVE algorithm on a plain list, the oldest element first.
struct SlowSieve<Element: Equatable> {
    private(set) var elements: [(element: Element, used: Bool)] = []
    private var hand: Element?

    private func place(_ element: Element) -> Int? {
        elements.firstIndex { $0.element == element }
    }

    mutating func insert(_ element: Element) {
        elements.append((element, false))
    }

    mutating func use(_ element: Element) {
        if let place = place(element) { elements[place].used = true }
    }

    mutating func remove(_ element: Element) {
        guard let place = place(element) else { return }
        if hand == element { hand = place + 1 < elements.count ? elements[place + 1].element : nil }
        elements.remove(at: place)
    }

    mutating func victim() -> Element? {
        guard !elements.isEmpty else { return nil }
        var place = hand.flatMap { self.place($0) } ?? 0
        while elements[place].used {
            elements[place].used = false
            place = (place + 1) % elements.count
        }
        hand = elements[place].element
        return hand
    }
}
