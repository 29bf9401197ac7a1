#include "base/quantity.h"

#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const quantity_units nothing;

static double value_of(const char *text, quantity_dimension dimension)
{
    char message[QUANTITY_MESSAGE_MAX] = "";
    double value = NAN;
    if (quantity_parse(text, dimension, &nothing, false, &value, message) != LITHE_OK)
        print_error("%s: %s\n", text, message);
    return value;
}

static void assert_refused(const char *text, quantity_dimension dimension, const char *expected)
{
    char message[QUANTITY_MESSAGE_MAX] = "";
    double value = 0;
    assert_int_equal(quantity_parse(text, dimension, &nothing, false, &value, message),
                     LITHE_INVALID);
    assert_string_equal(message, expected);
}

static void assert_near(double value, double expected, double relative)
{
    assert_true(fabs(value - expected) <= relative * fabs(expected));
}

static void decimal_units_convert_without_rounding(void **unused)
{
    (void)unused;
    assert_true(value_of("180 kPa", QUANTITY_PRESSURE) == 180e3);
    assert_true(value_of("97mm", QUANTITY_LENGTH) == 0.097);
    assert_true(value_of("1.08 g/cm^3", QUANTITY_DENSITY) == 1080);
    assert_true(value_of("1.27 g/cm³", QUANTITY_DENSITY) == 1270);
    assert_true(value_of("-9.81 m/s^2", QUANTITY_ACCELERATION) == -9.81);
    assert_true(value_of("1e-3 m", QUANTITY_LENGTH) == 1e-3);
    assert_true(value_of("+.5 cm", QUANTITY_LENGTH) == 0.005);
    assert_true(value_of("20 ml", QUANTITY_VOLUME) == 20e-6);
    assert_true(value_of("20 mL", QUANTITY_VOLUME) == 20e-6);
    assert_true(value_of("3 µm", QUANTITY_LENGTH) == 3e-6);
    assert_true(value_of("45 %", QUANTITY_NUMBER) == 0.45);
    assert_true(value_of("0.45", QUANTITY_NUMBER) == 0.45);
}

static void one_quantity_has_one_value_in_every_unit(void **unused)
{
    (void)unused;
    assert_true(value_of("2 N/mm^2", QUANTITY_PRESSURE) == 2e6);
    assert_true(value_of("2 N / mm^2", QUANTITY_PRESSURE) == 2e6);
    assert_true(value_of("2 MN.m^-2", QUANTITY_PRESSURE) == 2e6);
    assert_true(value_of("2 kg/m/s^2", QUANTITY_PRESSURE) == 2);
    assert_true(value_of("2 kg*m/s^2", QUANTITY_FORCE) == 2);
    assert_true(value_of("2 kg·m/s²", QUANTITY_FORCE) == 2);
    assert_true(value_of("1 bar", QUANTITY_PRESSURE) == 1e5);
    assert_true(value_of("20 mbar", QUANTITY_PRESSURE) == 2000);
    assert_true(value_of("1 atm", QUANTITY_PRESSURE) == 101325);
    assert_true(value_of("1 min", QUANTITY_TIME) == 60);
    assert_true(value_of("1 h", QUANTITY_TIME) == 3600);
    assert_true(value_of("1 t", QUANTITY_MASS) == 1000);
    assert_near(value_of("1 in", QUANTITY_LENGTH), 0.0254, 1e-15);
    assert_near(value_of("1 ft", QUANTITY_LENGTH), value_of("12 in", QUANTITY_LENGTH), 1e-15);
    assert_near(value_of("1 psi", QUANTITY_PRESSURE), value_of("1 lbf/in^2", QUANTITY_PRESSURE),
                1e-14);
    assert_near(value_of("760 mmHg", QUANTITY_PRESSURE), 101325, 1e-6);
    assert_near(value_of("1 kgf", QUANTITY_FORCE), 9.80665, 0);
    assert_near(value_of("180 deg", QUANTITY_ANGLE), acos(-1), 1e-15);
    assert_near(value_of("180°", QUANTITY_ANGLE), acos(-1), 1e-15);
}

static void rates_and_compliances_carry_their_unit(void **unused)
{
    (void)unused;
    assert_true(value_of("50 mm/s", QUANTITY_VELOCITY) == 0.05);
    assert_true(value_of("2 N/s", QUANTITY_FORCE_RATE) == 2);
    assert_true(value_of("10 kPa/s", QUANTITY_PRESSURE_RATE) == 10000);
    assert_true(value_of("5 ml/s", QUANTITY_VOLUME_RATE) == 5e-6);
    assert_true(value_of("0.5 mm/N", QUANTITY_COMPLIANCE) == 0.0005);
    assert_refused("5", QUANTITY_VELOCITY, "5 has no unit; write '5 mm/s'");
    assert_refused("5 N", QUANTITY_FORCE_RATE,
                   "'5 N' is a force, expected a force rate such as '2 N/s'");
    assert_refused("2 N/mm", QUANTITY_COMPLIANCE,
                   "'2 N/mm' is a stiffness, expected a compliance such as '0.5 mm/N'");
}

static void zero_and_infinity_need_no_unit(void **unused)
{
    (void)unused;
    char message[QUANTITY_MESSAGE_MAX];
    double value = 1;
    assert_true(value_of("0", QUANTITY_LENGTH) == 0);
    assert_true(value_of("-0.0e3", QUANTITY_PRESSURE) == 0);
    assert_int_equal(quantity_parse("-.inf", QUANTITY_FORCE, &nothing, true, &value, message),
                     LITHE_OK);
    assert_true(value == -INFINITY);
    assert_int_equal(quantity_parse(".inf mm", QUANTITY_LENGTH, &nothing, true, &value, message),
                     LITHE_OK);
    assert_true(value == INFINITY);
    assert_refused(".inf", QUANTITY_LENGTH,
                   "'.inf' must be finite here; expected a length such as '97 mm'");
}

static void bare_numbers_mean_the_declared_unit(void **unused)
{
    (void)unused;
    char message[QUANTITY_MESSAGE_MAX];
    double value = 0;
    quantity_units units = nothing;
    units.declared[QUANTITY_LENGTH] = true;
    assert_int_equal(
        quantity_parse_unit("mm", QUANTITY_LENGTH, &units.unit[QUANTITY_LENGTH], message),
        LITHE_OK);
    assert_int_equal(quantity_parse("97", QUANTITY_LENGTH, &units, false, &value, message),
                     LITHE_OK);
    assert_true(value == 0.097);
    assert_int_equal(quantity_parse("3 cm", QUANTITY_LENGTH, &units, false, &value, message),
                     LITHE_OK);
    assert_true(value == 0.03);
    assert_refused("180", QUANTITY_PRESSURE,
                   "180 has no unit; write '180 kPa' or declare units: {pressure: kPa}");
}

static void a_mistyped_unit_is_named_and_mended(void **unused)
{
    (void)unused;
    assert_refused("180 kpa", QUANTITY_PRESSURE, "unknown unit 'kpa': did you mean 'kPa'?");
    assert_refused("5 mm2", QUANTITY_LENGTH, "unknown unit 'mm2': did you mean 'mm^2'?");
    assert_refused("5 degr", QUANTITY_ANGLE, "unknown unit 'degr': did you mean 'deg'?");
    assert_refused("5 furlong", QUANTITY_LENGTH,
                   "unknown unit 'furlong'; units are such as mm, N, kPa, g/cm^3, deg, ml, s");
}

static void a_wrong_dimension_is_named(void **unused)
{
    (void)unused;
    assert_refused("97 mm", QUANTITY_PRESSURE,
                   "'97 mm' is a length, expected a pressure such as '180 kPa'");
    assert_refused("15 deg", QUANTITY_LENGTH,
                   "'15 deg' is an angle, expected a length such as '97 mm'");
    assert_refused("1 mm", QUANTITY_NUMBER,
                   "'1 mm' is a length, expected a number without a unit such as '0.45'");
    assert_refused("3 mm^2", QUANTITY_LENGTH,
                   "'3 mm^2' is an area, expected a length such as '97 mm'");
    assert_refused("3 kg.m", QUANTITY_LENGTH,
                   "'3 kg.m' has the dimension m^1.kg^1.s^0.rad^0, expected a length such as "
                   "'97 mm'");
    char message[QUANTITY_MESSAGE_MAX];
    unit u;
    assert_int_equal(quantity_parse_unit("kPa", QUANTITY_LENGTH, &u, message), LITHE_INVALID);
    assert_string_equal(message, "'kPa' is a unit of pressure, expected a unit of length such as "
                                 "'mm'");
}

static void what_is_no_finite_decimal_number_is_refused(void **unused)
{
    (void)unused;
    const char *const bad[] = {
        "nan",     ".nan",      "inf",       "0x10 mm",
        "mm",      "",          "-",         ".",
        "1e999",   "1e300 Tm",  "1,5 mm",    "1 2 mm",
        "1 mm mm", "1 mm^",     "1 mm^0",    "1 mm^1.5",
        "1 mm^99", "1 mm/",     "1 /mm",     "1 mm//",
        "1 (mm)",  "1 m^-9^-9", "1e-320 pm", "1 m.m.m.m.m.m.m.m.m.m.m.m.m.m.m.m.m.m"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char message[QUANTITY_MESSAGE_MAX] = "";
        double value = 0;
        assert_int_equal(quantity_parse(bad[i], QUANTITY_LENGTH, &nothing, true, &value, message),
                         LITHE_INVALID);
        assert_true(strlen(message) > 10);
    }
    assert_refused("abc", QUANTITY_LENGTH,
                   "'abc' is not a number; expected a length such as '97 mm'");
    assert_refused("1e999 mm", QUANTITY_LENGTH, "'1e999 mm' is too large for a number");
}

static void the_program_locale_does_not_change_numbers(void **unused)
{
    (void)unused;
    const char *const commas[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"};
    bool found = false;
    for (size_t i = 0; !found && i < sizeof commas / sizeof commas[0]; i++)
        found = setlocale(LC_ALL, commas[i]) != NULL;
    if (!found)
        skip(); // this machine has no locale with a decimal comma
    assert_true(value_of("1.5 mm", QUANTITY_LENGTH) == 0.0015);
    setlocale(LC_ALL, "C");
}

static void long_texts_are_cut_in_messages(void **unused)
{
    (void)unused;
    char text[5000], message[QUANTITY_MESSAGE_MAX];
    double value = 0;
    for (size_t i = 0; i < sizeof text - 1; i += 2)
        memcpy(text + i, "é", 2);
    text[sizeof text - 2] = 0;
    assert_int_equal(quantity_parse(text, QUANTITY_LENGTH, &nothing, false, &value, message),
                     LITHE_INVALID);
    assert_true(strlen(message) < 200);
    assert_non_null(strstr(message, "é...'"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decimal_units_convert_without_rounding),
        cmocka_unit_test(one_quantity_has_one_value_in_every_unit),
        cmocka_unit_test(rates_and_compliances_carry_their_unit),
        cmocka_unit_test(zero_and_infinity_need_no_unit),
        cmocka_unit_test(bare_numbers_mean_the_declared_unit),
        cmocka_unit_test(a_mistyped_unit_is_named_and_mended),
        cmocka_unit_test(a_wrong_dimension_is_named),
        cmocka_unit_test(what_is_no_finite_decimal_number_is_refused),
        cmocka_unit_test(the_program_locale_does_not_change_numbers),
        cmocka_unit_test(long_texts_are_cut_in_messages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
