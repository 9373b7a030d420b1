/// A country's store: its two- and three-letter codes and its money.
struct Storefront: Hashable, Sendable {
    let code: String
    let country: String
    let currency: String

    /// The store of a two-letter code, whatever its case; nil where there is none.
    static func of(_ code: String) -> Storefront? {
        all[code.uppercased()]
    }

    /// Prices of this money have no hundredths.
    var hasWholePrices: Bool { ["KRW", "JPY"].contains(currency) }

    private static let all: [String: Storefront] = {
        let table = """
            AE ARE AED,AR ARG USD,AT AUT EUR,AU AUS AUD,BE BEL EUR,BG BGR EUR,BR BRA BRL,CA CAN CAD,CH CHE CHF,CL CHL CLP,\
            CN CHN CNY,CO COL COP,CR CRI USD,CY CYP EUR,CZ CZE CZK,DE DEU EUR,DK DNK DKK,EC ECU USD,EE EST EUR,EG EGY EGP,\
            ES ESP EUR,FI FIN EUR,FR FRA EUR,GB GBR GBP,GR GRC EUR,HK HKG HKD,HU HUN HUF,ID IDN IDR,IE IRL EUR,IL ISR ILS,\
            IN IND INR,IT ITA EUR,JP JPN JPY,KR KOR KRW,KZ KAZ KZT,LT LTU EUR,LU LUX EUR,LV LVA EUR,MO MAC USD,MT MLT EUR,\
            MX MEX MXN,MY MYS MYR,NG NGA NGN,NL NLD EUR,NO NOR NOK,NZ NZL NZD,PE PER PEN,PH PHL PHP,PK PAK PKR,PL POL PLN,\
            PT PRT EUR,QA QAT QAR,RO ROU RON,RU RUS RUB,SA SAU SAR,SE SWE SEK,SG SGP SGD,SI SVN EUR,SK SVK EUR,TH THA THB,\
            TR TUR TRY,TW TWN TWD,UA UKR UAH,US USA USD,UY URY USD,VN VNM VND,ZA ZAF ZAR
            """
        let stores = table.split(separator: ",").map { line in
            let parts = line.split(separator: " ").map(String.init)
            return Storefront(code: parts[0], country: parts[1], currency: parts[2])
        }
        return Dictionary(uniqueKeysWithValues: stores.map { ($0.code, $0) })
    }()
}
