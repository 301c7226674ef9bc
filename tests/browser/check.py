"""Opens the HTML report in Chromium and looks at it as a reader would.

    pip install -r tests/browser/requirements.txt
    python tests/browser/check.py target/debug/patchodds [--screenshots FOLDER]

The browser is the `chromium` of the system, which has no network here. Each check is
made on pages that patchodds has just written: of one comparison, of a suite, of names
that mean something to HTML, and of two thousand benchmarks.
"""

import argparse
import random
import re
import subprocess
import tempfile
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from shutil import which

from playwright.sync_api import sync_playwright

RUNS = Path(__file__).parents[2] / "examples" / "netbsd" / "rfc2544.csv"

SCHEMES = ("light", "dark")

# CSS pixels: a desktop window, and a small phone.
WIDTHS = (1280, 360)

# A4 less Chromium's margins of 1 cm.
PAPER = 718

# WCAG 2.2, 1.4.3, level AA, which for large text would be content with 3.
CONTRAST = 4.5

SCRIPT = "<script>window.hacked=1</script>"
IMAGE = '"><img src=x onerror=window.hacked=1>'

MANY = 2000

# The page of many has 1.1 MB and 21,000 elements, most of them cells.
MOST_BYTES = 3_000_000
MOST_ELEMENTS = 40_000

# A step lays out at most the part that comes near. How long frames take depends on the
# machine, so that is printed and not judged.
STEPS = 100
MOST_LAYOUTS_A_STEP = 3

# The columns of the table of a suite.
COLUMNS = ("benchmark", "candidate", "change", "interval", "P(worse)", "verdict")

# What several checks ask the page.
SHARED = (Path(__file__).parent / "page.js").read_text()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--screenshots", type=Path)
    told = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        reports = write_reports(told.program, Path(folder))
        check_reports(browser, reports)
        if told.screenshots:
            take_screenshots(browser, reports, told.screenshots)


def check_reports(browser, reports):
    for name, report in reports.items():
        # The page of many takes seconds each time; it has nothing the suite has not.
        looks = zip(SCHEMES, WIDTHS) if name == "many" else product(SCHEMES, WIDTHS)
        for scheme, width in looks:
            with opened(browser, report, scheme, width) as page:
                check_overflow(name, page)
                check_contrast(name, page)
        done(name, "quiet, alone, within its width, and of enough contrast")
        with opened(browser, report) as page:
            check_structure(name, page)
        check_without_scripts(name, browser, report)
        check_print(name, browser, report)
        done(name, "has its structure, and all of it without scripts and on paper")
    for name in ("suite", "many"):
        with opened(browser, reports[name]) as page:
            check_sorting(name, page)
            check_filter(name, page)
        done(name, "sorts and filters")
    with opened(browser, reports["suite"]) as page:
        check_keyboard(page)
    done("suite", "works by the keyboard")
    for name in ("hostile", "hostile suite"):
        with opened(browser, reports[name]) as page:
            check_hostile(name, page)
        done(name, "shows names as text")
    check_size(reports["many"])
    with opened(browser, reports["many"]) as page:
        check_elements(page)
        check_scrolling(page)
    done("many", "scrolls")


def write_reports(program, folder):
    names = [f"parse/{i}" for i in range(12)]
    write_runs(folder / "suite.csv", names, ["before", "after"])
    write_runs(folder / "hostile.csv", [SCRIPT], [IMAGE, SCRIPT])
    write_runs(folder / "hostile suite.csv", [SCRIPT, IMAGE, "tame"], [SCRIPT, IMAGE])
    write_runs(folder / "many.csv", [f"bench/{i}" for i in range(MANY)], ["old", "new"])
    # So few draws are not reliable, but two thousand times the default takes minutes,
    # and it is not the numbers that are looked at.
    few = ["--chains", "1", "--draws", "20", "--tune", "20"]
    return {
        "one": report(program, folder / "one.html", [str(RUNS)]),
        "suite": report(program, folder / "suite.html", [str(folder / "suite.csv")]),
        "hostile": report(
            program, folder / "hostile.html", [str(folder / "hostile.csv")]
        ),
        "hostile suite": report(
            program, folder / "hostile suite.html", [str(folder / "hostile suite.csv")]
        ),
        "many": report(program, folder / "many.html", [str(folder / "many.csv"), *few]),
    }


def write_runs(path, names, labels):
    """Five runs of each benchmark by each variant; the second is −3 to +3 % slower."""
    noise = random.Random(1)
    lines = ["benchmark,variant,value,unit"]
    for i, name in enumerate(names):
        for label, shift in zip(labels, (0, i % 7 - 3)):
            for _ in range(5):
                value = 100 + shift + noise.gauss(0, 0.4)
                lines.append(f"{quoted(name)},{quoted(label)},{value:.3f},ms")
    path.write_text("\n".join(lines) + "\n")


def quoted(field):
    return '"' + field.replace('"', '""') + '"'


def report(program, path, words):
    command = [program, "compare", *words, "--quiet", "--html", str(path)]
    said = subprocess.run(command, capture_output=True, text=True)
    # 3 is "not reliable", of too few draws.
    assert said.returncode in (0, 3), f"{path.name}: {said.stderr}"
    return path


@contextmanager
def chromium():
    program = which("chromium")
    assert program, "there is no `chromium` on the PATH"
    with sync_playwright() as playwright:
        # Root, as in a container, has no sandbox, and /dev/shm may be small there.
        options = ["--no-sandbox", "--disable-dev-shm-usage"]
        browser = playwright.chromium.launch(executable_path=program, args=options)
        yield browser
        browser.close()


@contextmanager
def opened(browser, report, scheme="light", width=1280, scripts=True, media="screen"):
    """The page, which must stay quiet and ask for nothing but itself."""
    context = browser.new_context(
        color_scheme=scheme,
        viewport={"width": width, "height": 800},
        java_script_enabled=scripts,
        offline=True,
    )
    page = context.new_page()
    page.emulate_media(media=media, color_scheme=scheme)
    asked, said = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append((message.type, message.text)))
    page.on("pageerror", lambda error: said.append(("error", str(error))))
    page.goto(report.as_uri())
    page.evaluate(SHARED)
    yield page
    page.wait_for_timeout(50)  # What a check has set off may still speak.
    context.close()
    which_page = f"{report.name}, {scheme}, {width} px"
    assert asked == [report.as_uri()], f"{which_page}: asks for {asked}"
    bad = [text for kind, text in said if kind in ("error", "warning")]
    assert not bad, f"{which_page}: the console has {bad}"


def check_overflow(name, page):
    wide, room = page.evaluate(
        "[document.documentElement.scrollWidth, window.innerWidth]"
    )
    assert wide <= room, f"{name}: {wide} px wide in {room} px"
    # What is drawn only when it is near the window is cut off where it is too wide.
    outside = page.evaluate("checks.outside()")
    assert not outside, f"{name}: texts leave {room} px: {outside[:5]}"


def check_contrast(name, page):
    page.evaluate("checks.unfold()")
    texts = page.evaluate("checks.contrasts()")
    assert len(texts) > 20, f"{name}: only {len(texts)} texts are visible"
    weak = [text for text in texts if text["contrast"] < CONTRAST]
    assert not weak, f"{name}: contrast below {CONTRAST}: {weak[:5]}"


def check_structure(name, page):
    levels = page.evaluate(
        "[...document.querySelectorAll('h1, h2, h3, h4, h5, h6')].map((h) => +h.tagName[1])"
    )
    assert levels.count(1) == 1 and levels[0] == 1, f"{name}: headings {levels[:5]}"
    for above, below in zip(levels, levels[1:]):
        assert below <= above + 1, f"{name}: h{below} follows h{above}"
    assert page.title() and page.get_attribute("html", "lang"), name
    bare = page.evaluate(
        "[...document.querySelectorAll('table')].filter((t) => !t.querySelector('th')).length"
    )
    assert bare == 0, f"{name}: {bare} tables without th"
    unscoped = page.locator("th:not([scope])").count()
    assert unscoped == 0, f"{name}: {unscoped} th without scope"
    assert page.locator("svg").count() > 0, f"{name}: no picture"
    mute = page.evaluate("checks.mute()")
    assert not mute, f"{name}: pictures without role, title or description: {mute[:5]}"


def check_without_scripts(name, browser, report):
    with opened(browser, report) as page:
        with_scripts = page.evaluate("checks.words()")
    with opened(browser, report, scripts=False) as page:
        without = page.evaluate("checks.words()")
        controls = page.locator("button, input, select, textarea").count()
        assert controls == 0, f"{name}: {controls} controls that need scripts"
        page.locator("summary").first.click()
        opens = page.evaluate("document.querySelector('details').open")
        assert opens, f"{name}: details do not open without scripts"
        page.evaluate("checks.unfold()")
        hidden = page.evaluate("checks.hidden('main *')")
        assert not hidden, f"{name}: hidden without scripts: {hidden[:5]}"
    assert without and without == with_scripts, f"{name}: words need scripts"


def check_print(name, browser, report):
    colours = []
    for scheme in SCHEMES:
        with opened(browser, report, scheme, PAPER, media="print") as page:
            colours.append(page.evaluate("checks.colours()"))
            check_overflow(f"{name} on paper", page)
            cut = page.evaluate("checks.cut()")
            assert not cut, f"{name}: cut off on paper: {cut[:5]}"
            hidden = page.evaluate("checks.hidden('details *')")
            assert not hidden, f"{name}: folded away on paper: {hidden[:5]}"
            shown = page.locator("button, input").filter(visible=True).all()
            texts = [one.text_content() for one in shown]
            assert all(texts), f"{name}: a field to type into on paper"
    differ = [pair for pair in zip(*colours) if pair[0] != pair[1]]
    assert not differ, f"{name}: dark on paper: {differ[:3]}"


def check_sorting(name, page):
    unsorted = columns(page)
    for i, column in enumerate(COLUMNS):
        button = page.locator("table.sortable thead th").nth(i).get_by_role("button")
        assert button.inner_text().strip(" ▲▼") == column, f"{name}: not {column}"
        button.click()
        up = columns(page)
        assert sorted(up) == sorted(unsorted), f"{name}: rows are lost by {column}"
        check_order(f"{name}: by {column}", [row[i] for row in up], column)
        button.click()
        down = columns(page)
        check_order(f"{name}: back by {column}", [row[i] for row in down][::-1], column)
        said = page.evaluate(
            "[...document.querySelectorAll('th[aria-sort]')].map((h) => h.ariaSort)"
        )
        assert said == ["descending"], f"{name}: aria-sort is {said} after {column}"


def check_order(what, cells, column):
    if column == "verdict":
        # The worst first; what is alike stands together.
        runs = [cell for i, cell in enumerate(cells) if cell != cells[i - 1]]
        assert len(runs) == len(set(runs)), f"{what}: {runs[:9]}"
        return
    meant = by_name if column in ("benchmark", "candidate") else by_number
    for above, below in zip(cells, cells[1:]):
        least, most = meant(above)[0], meant(below)[1]
        assert least <= most, f"{what}: `{above}` stands above `{below}`"


def by_name(cell):
    """A name by its numbers, bench/2 before bench/10."""
    parts = re.split(r"(\d+)", cell)
    key = [int(part) if part.isdigit() else part.lower() for part in parts]
    return key, key


def by_number(cell):
    """The ends of what is rounded to the first number of a cell: −4 may be −3.6."""
    number = re.search(r"[+-]?\d+\.?(\d*)", cell.replace("−", "-"))
    half = 0.5 * 10 ** -len(number[1]) + 1e-9
    return float(number[0]) - half, float(number[0]) + half


def columns(page):
    return [tuple(row) for row in page.evaluate("checks.rows()")]


def check_filter(name, page):
    rows = columns(page)
    field = page.get_by_role("searchbox")
    for typed in ("/1", "SLOWER", "nowhere", ""):
        field.fill(typed)
        wanted = [row for row in rows if any(typed.lower() in cell.lower() for cell in row)]
        found = columns(page)
        assert found == wanted, f"{name}: `{typed}` leaves {len(found)}, not {len(wanted)}"
        said = page.get_by_role("status").inner_text()
        count = f"{len(wanted):,} of {len(rows):,} rows"
        assert said == count, f"{name}: says `{said}`, not `{count}`"


def check_keyboard(page):
    reached = []
    for _ in range(len(COLUMNS) + 6):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("checks.focused()"))
    for name in ("input", *COLUMNS, "summary"):
        assert any(name in one for one in reached), f"no Tab leads to {name}: {reached}"
    page.evaluate("document.activeElement.blur()")
    button = page.get_by_role("button", name="change")
    button.focus()
    outline = button.evaluate("(one) => getComputedStyle(one).outlineStyle")
    page.keyboard.press("Enter")
    assert button.evaluate("(one) => one.parentElement.ariaSort") == "ascending"
    assert button.evaluate("(one) => one === document.activeElement"), "focus is lost"
    assert outline != "none", "focus cannot be seen"
    # A summary opens by the keyboard too.
    summary = page.locator("summary").first
    summary.focus()
    page.keyboard.press("Enter")
    assert summary.evaluate("(one) => one.parentElement.open"), "Enter opens no details"


def check_hostile(name, page):
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    hacked = page.evaluate("typeof window.hacked")
    assert hacked == "undefined", f"{name}: a name was run"
    whole = page.locator("main").inner_text()
    drawn = " ".join(page.locator("svg text").all_text_contents())
    for hostile in (SCRIPT, IMAGE):
        assert hostile in whole, f"{name}: `{hostile}` is not shown"
        # Where a picture has little room a name is cut in the middle.
        assert hostile[:6] in drawn, f"{name}: `{hostile}` is in no picture"
    assert page.locator("img").count() == 0, f"{name}: a name became an image"
    assert page.locator("script").count() == 1, f"{name}: a name became a script"


def check_size(report):
    size = report.stat().st_size
    assert size < MOST_BYTES, f"{size} bytes for {MANY} benchmarks"


def check_elements(page):
    assert len(columns(page)) == MANY
    elements = page.evaluate("document.getElementsByTagName('*').length")
    assert elements < MOST_ELEMENTS, f"{elements} elements for {MANY} benchmarks"


def check_scrolling(page):
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")

    def layouts():
        metrics = session.send("Performance.getMetrics")["metrics"]
        return {one["name"]: one["value"] for one in metrics}["LayoutCount"]

    before = layouts()
    frames, bottom = page.evaluate(f"checks.scroll({STEPS})")
    assert bottom, "the end of the page is not reached"
    a_step = (layouts() - before) / STEPS
    assert a_step <= MOST_LAYOUTS_A_STEP, f"{a_step} layouts a step"
    middle, slowest = sorted(frames)[len(frames) // 2], max(frames)
    print(f"many: {a_step:.1f} layouts a step, frames of {middle:.0f} to {slowest:.0f} ms")


def take_screenshots(browser, reports, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for name, report in reports.items():
        for kind, told in {
            "light": {},
            "dark": {"scheme": "dark"},
            "phone": {"width": 360},
            "phone-dark": {"width": 360, "scheme": "dark"},
            "print": {"width": PAPER, "media": "print", "scheme": "dark"},
        }.items():
            with opened(browser, report, **told) as page:
                path = folder / f"{name.replace(' ', '-')}-{kind}.png"
                # Of many the first screen; the whole would be 80,000 px high.
                page.screenshot(path=path, full_page=name != "many")


def done(name, what):
    print(f"{name}: {what}")


if __name__ == "__main__":
    main()
