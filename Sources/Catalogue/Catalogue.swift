// The room Catalogue.
