import SearchModel

extension MethodDescription {
    package static let image = MethodDescription(
        .image,
        summary: """
            A picture that a hit names, fetched and cached by the daemon, which never decodes it. Only an address that \
            stands as thumbnail, or in extra as image, in a hit that a search or lookup has shown this user lately: the \
            latest 24,576 addresses at least, and those that the history keeps of earlier searches; so of a saved item \
            when a search has brought it. Only over https from public addresses, or from where the configuration has \
            the hit's source asked; redirects are checked likewise. Anything else is forbidden. What has more than \
            2 MiB, or begins like none of these types, is a badResponse. Identical requests share one fetch.
            """,
        parameters: [
            .required(.url, .text, "As the hit has it; at most \(WireBounds.pictureAddressBytesMax) bytes.")
        ],
        result: [
            .required(
                .type,
                .words(["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"]),
                "By its first bytes."
            ),
            .required(.data, .text, "Base64, with padding."),
            .required(.bytes, .integer(1...WireBounds.pictureBytesMax), "How many bytes that stands for."),
            .required(.cache, .words([CacheUse.hit, .joined, .miss]), "How it was got, as in search."),
        ],
        errors: [.forbidden, .badResponse, .unavailable, .timeout]
    )
}
