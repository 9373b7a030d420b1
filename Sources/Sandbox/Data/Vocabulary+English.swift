extension Vocabulary {
    static let english = Vocabulary(
        nouns: [
            "cat", "dog", "travel", "coffee", "movie", "music", "cooking", "bicycle", "mountain", "photo", "reading",
            "game", "running", "ocean", "garden", "market", "library", "bakery", "train", "park", "museum", "bread",
            "umbrella", "winter", "summer", "spring", "autumn", "morning", "evening", "school", "office", "friend",
            "family", "child", "health", "swimming", "camping", "fishing", "piano", "guitar", "painting", "theatre",
            "novel", "poem", "history", "science", "space", "robot", "computer", "phone", "camera", "car", "subway",
            "bus", "airplane", "hotel", "island", "castle", "festival", "wedding", "gift", "flower", "tree", "walk",
            "yoga", "diary", "letter", "language", "english", "korean", "coding", "economy", "house", "food",
            "hospital", "bank", "comic", "drama", "actor", "singer", "song", "dance", "football", "baseball", "ocean",
            "river", "harbour", "clock", "weather", "physics", "chess", "database", "compiler", "network", "startup",
            "battery", "satellite",
        ],
        adjectives: [
            "quiet", "warm", "small", "worn", "new", "slow", "deep", "simple", "special", "plain", "bright", "clear",
            "gentle", "brave", "strange", "familiar", "kind", "patient", "hidden", "last",
        ],
        towns: [
            "Seoul", "London", "Lisbon", "Kyoto", "Bergen", "Dublin", "Porto", "Vienna", "Oslo", "Busan", "Tallinn",
            "Quebec", "Hobart", "Leeds", "Ghent", "Malmo", "Turin", "Granada", "Bruges", "Galway",
        ],
        people: [
            "Alice Marrow", "Tom Veldt", "Nora Quill", "Ivan Petch", "Grace Olden", "Hugo Lindt", "Mina Carver",
            "Oscar Dray", "Ruth Fennel", "Samir Holt", "Tessa Brook", "Victor Lane", "Wendy Ashe", "Yuna Park",
            "Ben O'Dell", "Clara Finch", "Dora Stone", "Emil Hartz", "Fay Winter", "Gus Marlow",
        ],
        companies: [
            "Lantern Press", "Harbour & Sons", "Northlight", "Tin Kettle", "Blue Gate", "Willow Works", "Paperboat",
            "Second Window", "Oak Lane", "Milestone", "Cobble Soft", "Fernhill", "Larkspur", "Stone Bridge",
            "Kiteworks",
        ],
        genres: [
            "Fiction", "Education", "Lifestyle", "Health", "Travel", "Juvenile Fiction", "Science", "Music", "Art",
            "Business", "Games", "History",
        ],
        titles: [
            "{y} things to know before you get a {t}", "The {a} {t} of {p}", "A {t} in {p}", "{t} for beginners",
            "Why every {n} needs a {t}", "{w} on {t} and the {a} {n}", "My {y} months with {t}: an honest review",
            "{t} & {n}: a comparison", "How the {t} changed the {n}", "'{t}' explained slowly", "Notes on {a} {t}",
            "The {n} behind the {t}", "{p} by {t}", "{t}, {n} and other {a} habits",
            "What we learned from {y} years of {t}", "Choosing a {t} without regret",
        ],
        sentences: [
            "Last week in {p} I stood for a long time before a single {t}", "Say {t} and everybody turns {a}",
            "At first the {n} made me hesitate, but the {t} changed my mind",
            "{w} once called the {t} \"a {a} promise\"", "These are notes on {t}, kept for {y} years",
            "Behind the {n} market there is a {a} {t}", "It costs about {y} a month, and the {n} isn't included",
            "Those who know {t} look at the {n} first", "When it rains I think of the {t} more often",
            "The {n} comes later; the {t} comes first", "{c} said it would hold {y} more {t} events this year",
            "With children, begin with the {a} {n}, not the {t}",
        ],
        names: [
            "Slow Days", "Small Kitchen", "Side Street", "Blue Notes", "Three O'Clock", "Window Seat", "Moon Station",
            "The Drawer", "Forest Workshop", "Paper Planes", "Cloud Shop", "Under the Quince", "Across the Water",
            "Sunday Desk", "Green Gate",
        ]
    )
}
