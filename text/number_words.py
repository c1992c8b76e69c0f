"""Words of numbers, months, spans of time and currencies in German, French, Spanish, Chinese, Arabic and
English: what must not be overlooked where two texts differ, whatever the rest of the sentence says.
"""

from text.word_lists import words

_COUNTED = {
    0: "zero zéro cero صفر",
    1: "eins",  # "one", "ein" and "un" are as often no number
    2: "two zwei deux dos اثنان اثنين اثنتان اثنتين",
    3: "three drei trois tres ثلاث ثلاثة",
    4: "four vier quatre cuatro أربع أربعة",
    5: "five fünf cinq cinco خمس خمسة",
    6: "six sechs seis ست ستة",
    7: "seven sieben sept siete سبع سبعة",
    8: "eight acht huit ocho ثماني ثمانية ثمان",
    9: "nine neun neuf nueve تسع تسعة",
    10: "ten zehn dix diez عشر عشرة",
    11: "eleven elf onze",
    12: "twelve zwölf douze doce dozen dutzend",
    13: "thirteen dreizehn treize trece",
    14: "fourteen vierzehn quatorze catorce",
    15: "fifteen fünfzehn quinze quince",
    16: "sixteen sechzehn seize dieciséis",
    17: "seventeen siebzehn diecisiete",
    18: "eighteen achtzehn dieciocho",
    19: "nineteen neunzehn diecinueve",
    20: "twenty zwanzig vingt veinte عشرون عشرين",
    30: "thirty dreißig dreissig trente treinta ثلاثون ثلاثين",
    40: "forty vierzig quarante cuarenta أربعون أربعين",
    50: "fifty fünfzig cinquante cincuenta خمسون خمسين",
    60: "sixty sechzig soixante sesenta ستون ستين",
    70: "seventy siebzig septante setenta سبعون سبعين",
    80: "eighty achtzig ochenta ثمانون ثمانين",
    90: "ninety neunzig nonante noventa تسعون تسعين",
    100: "hundred hundert cent cents cien ciento مئة مائة",
    200: "doscientos doscientas مئتان مئتين مائتان مائتين",
    500: "quinientos quinientas",
    1_000: "thousand tausend mille mil ألف آلاف",
    1_000_000: "million millions millionen mio millón millones مليون ملايين",
    1_000_000_000: "billion billions milliarde milliarden mrd milliard milliards مليار مليارات",
}
NUMBERS = {word: number for number, listed in _COUNTED.items() for word in words(listed)}
# Ordinals and parts: only that they are others matters, not which number they are.
RANKS = words(
    """first second fourth fifth half twice quarter
    erste ersten erster erstes zweite zweiten zweiter zweites dritten drittes vierte vierten vierter fünfte
    fünften sechste sechsten zehnte zehnten hälfte halbe halben halbes viertel drittel doppelte
    doppelten zweimal dreimal premier première deuxième seconde troisième quatrième cinquième
    moitié tiers quart double triple primer primero primera segundo segunda tercero tercera tercer cuarto
    cuarta quinto quinta mitad doble الأول الأولى الثاني الثانية الثالث الثالثة الرابع
    الرابعة نصف ربع ثلث ضعف"""
)
_MONTHS = (
    "january jan januar jänner janvier enero يناير",
    "february feb februar février febrero فبراير",
    "march mar märz mars marzo مارس",
    "april apr avril abril أبريل إبريل",
    "may mai mayo مايو",
    "june jun juni juin junio يونيو",
    "july jul juli juillet julio يوليو",
    "august aug août agosto أغسطس",
    "september sep sept septembre septiembre setiembre سبتمبر",
    "october oct oktober okt octobre octubre أكتوبر",
    "november nov novembre noviembre نوفمبر",
    "december dec dezember dez décembre diciembre ديسمبر",
)
MONTHS = {word: number for number, listed in enumerate(_MONTHS, 1) for word in words(listed)}
# Words that are a month beside a figure only.
AMBIGUOUS_MONTHS = words("may mar mars sep jun jul")
GERMAN_MONTHS = words(
    """Januar Jänner Februar Feber März April Mai Juni Juli August September Oktober November Dezember
    Jan Feb Mär Apr Jun Jul Aug Sep Sept Okt Nov Dez"""
)
_SPANS = {
    "second": "second seconds sekunde sekunden seconde secondes segundo segundos ثانية ثوان",
    "minute": "minute minutes minuten minuto minutos 分钟 دقيقة دقائق",
    "hour": "hour hours stunde stunden heure heures hora horas 小时 ساعة ساعات",
    "day": "day days tag tage tagen tages jour jours día días 天 日 يوم يوما أيام",
    "working day": "werktag werktage werktagen arbeitstag arbeitstage arbeitstagen bankarbeitstage 工作日",
    "week": "week weeks woche wochen semaine semaines semana semanas 周 أسبوع أسابيع",
    "month": "month months monat monate monaten monats mois mes meses 个月 月 شهر شهرا أشهر شهور",
    "quarter": "quarters quartal quartale quartalen trimestre trimestres 季度",
    "year": "year years jahr jahre jahren jahres an ans année années año años 年 سنة سنوات عام أعوام",
}
SPANS = {word: unit for unit, listed in _SPANS.items() for word in words(listed)}
_CURRENCIES = {
    "€": "€ eur euro euros 欧元 يورو",
    "$": "$ usd dollar dollars dólar dólares 美元 دولار دولارا دولارات",
    "£": "£ gbp pound pounds pfund livre livres libra libras 英镑",
    "¥": "¥ ￥ cny rmb yuan 元 人民币 يوان",
    "chf": "chf franken sfr franc francs franco francos",
    "sar": "sar ريال ريالا ريالات",
    "aed": "aed درهم درهما دراهم",
    "%": "% prozent percent pourcent 个百分点",
}
CURRENCIES = {word: sign for sign, listed in _CURRENCIES.items() for word in words(listed)}
